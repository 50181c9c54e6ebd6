#pragma once

/// \file
/// The one table of the shader engine's operations: all that is known of each and needs no code. What lists operations
/// expands it, and src/spirv/ir/operations.hpp has it as values.
///
/// A new operation is a row here and a function that computes it. CONTRIBUTING.md names the files. No column has a
/// default: a row with a column too few does not compile.
///
/// Cells are names. Those of operands, results and properties are in operations.hpp. A cell that stands for code is the
/// name of a function or rule in the file that its column says, so that whoever reads a row can search for it.
///
/// There are three tables, since nothing needs all columns. The rows of subgroup operations, which stand between the
/// second and the third, are those of lockstep/subgroup/built_ins.hpp.

// clang-format off

/// Component-wise operations without side effects: their results depend only on their operands.
///
///   P(code, text, operands, result, undefined, decided, precision, bounds, cost)
///
/// code         Code::code
/// text         how messages show it, in GLSL where it has a name there
/// operands     what it takes, in order
/// result       the type of what it gives
/// undefined    where its result is undefined (ir/undefined_results.cpp)
/// decided      which operand can decide the result alone, whatever the others are
/// precision    whether devices may give other results
/// bounds       which results they may give (exec/ops/allow_compute.cpp)
/// cost         whether it is a few machine instructions
///
/// chain is a byte offset + index * stride, and all ones when out of range. address_add is a pointer + index * stride,
/// and stays in what it points into.
#define LOCKSTEP_PURE_OPERATIONS(P) \
  P(copy,              "copy(x)",                    takes(type),                   type,    never,          no_operand, passes_on, bits_as_another_type, cheap)            \
  P(add,               "x + y",                      takes(type, type),             type,    never,          no_operand, rounds,    add,                  cheap)            \
  P(sub,               "x - y",                      takes(type, type),             type,    never,          no_operand, rounds,    subtract,             cheap)            \
  P(mul,               "x * y",                      takes(type, type),             type,    never,          zero,       rounds,    multiply,             cheap)            \
  P(neg,               "-(x)",                       takes(type),                   type,    never,          no_operand, exact,     negated,              cheap)            \
  P(div,               "x / y",                      takes(type, type),             type,    quotient,       no_operand, rounds,    divide,               cheap_by_power)   \
  P(mod,               "mod(x, y)",                  takes(type, type),             type,    quotient,       no_operand, rounds,    modulo,               cheap_by_power)   \
  P(rem,               "rem(x, y)",                  takes(type, type),             type,    quotient,       no_operand, rounds,    remainder,            costly)           \
  P(band,              "x & y",                      takes(type, type),             type,    never,          zero,       exact,     integers,             cheap)            \
  P(bor,               "x | y",                      takes(type, type),             type,    never,          truth,      exact,     integers,             cheap)            \
  P(bxor,              "x ^ y",                      takes(type, type),             type,    never,          no_operand, exact,     integers,             cheap)            \
  P(bnot,              "~(x)",                       takes(type),                   type,    never,          no_operand, exact,     integers,             cheap)            \
  P(shl,               "x << y",                     takes(type, type),             type,    shift_count,    no_operand, exact,     integers,             cheap)            \
  P(shr,               "x >> y",                     takes(type, type),             type,    shift_count,    no_operand, exact,     integers,             cheap)            \
  P(equal,             "x == y",                     takes(type, type),             boolean, never,          no_operand, exact,     equal,                cheap)            \
  P(not_equal,         "x != y",                     takes(type, type),             boolean, never,          no_operand, exact,     equal,                cheap)            \
  P(less,              "x < y",                      takes(type, type),             boolean, never,          no_operand, exact,     less,                 cheap)            \
  P(less_equal,        "x <= y",                     takes(type, type),             boolean, never,          no_operand, exact,     less_equal,           cheap)            \
  P(select,            "select(x, y, z)",            takes(boolean, type, type),    type,    never,          condition,  passes_on, selection,            cheap)            \
  P(convert,           "convert(x)",                 takes(from),                   type,    conversion,     no_operand, converts,  conversion,           costly)           \
  P(mul_high,          "mulExtended(x, y)",          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(add_carry,         "addCarry(x, y)",             takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(sub_borrow,        "subBorrow(x, y)",            takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(add_sat,           "addSat(x, y)",               takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(bit_insert,        "bitfieldInsert(x, y, z, w)", takes(type, type, u32, u32),   type,    bit_field,      no_operand, exact,     integers,             costly)           \
  P(bit_extract,       "bitfieldExtract(x, y, z)",   takes(type, u32, u32),         type,    bit_field,      no_operand, exact,     integers,             costly)           \
  P(bit_reverse,       "bitfieldReverse(x)",         takes(type),                   type,    never,          no_operand, exact,     integers,             costly)           \
  P(bit_count,         "bitCount(x)",                takes(type),                   i32,     never,          no_operand, exact,     integers,             costly)           \
  P(find_lsb,          "findLSB(x)",                 takes(type),                   i32,     never,          no_operand, exact,     integers,             costly)           \
  P(find_msb,          "findMSB(x)",                 takes(type),                   i32,     never,          no_operand, exact,     integers,             costly)           \
  P(abs,               "abs(x)",                     takes(type),                   type,    never,          no_operand, exact,     absolute,             costly)           \
  P(sign,              "sign(x)",                    takes(type),                   type,    never,          no_operand, exact,     sign,                 costly)           \
  P(min,               "min(x, y)",                  takes(type, type),             type,    never,          no_operand, exact,     minimum,              cheap)            \
  P(max,               "max(x, y)",                  takes(type, type),             type,    never,          no_operand, exact,     maximum,              cheap)            \
  P(clamp,             "clamp(x, y, z)",             takes(type, type, type),       type,    limits,         no_operand, rounds,    clamp,                costly)           \
  P(nmin,              "min(x, y)",                  takes(type, type),             type,    never,          no_operand, rounds,    minimum,              costly)           \
  P(nmax,              "max(x, y)",                  takes(type, type),             type,    never,          no_operand, rounds,    maximum,              costly)           \
  P(nclamp,            "clamp(x, y, z)",             takes(type, type, type),       type,    limits,         no_operand, rounds,    clamp,                costly)           \
  P(is_nan,            "isnan(x)",                   takes(real),                   boolean, never,          no_operand, of_bits,   special,              costly)           \
  P(is_inf,            "isinf(x)",                   takes(real),                   boolean, never,          no_operand, of_bits,   special,              costly)           \
  P(round,             "round(x)",                   takes(type),                   type,    never,          no_operand, rounds,    round,                costly)           \
  P(round_even,        "roundEven(x)",               takes(type),                   type,    never,          no_operand, rounds,    round_even,           costly)           \
  P(trunc,             "trunc(x)",                   takes(type),                   type,    never,          no_operand, exact,     trunc,                costly)           \
  P(floor,             "floor(x)",                   takes(type),                   type,    never,          no_operand, exact,     floor,                costly)           \
  P(ceil,              "ceil(x)",                    takes(type),                   type,    never,          no_operand, exact,     ceil,                 costly)           \
  P(fract,             "fract(x)",                   takes(type),                   type,    never,          no_operand, rounds,    fract,                costly)           \
  P(radians,           "radians(x)",                 takes(type),                   type,    never,          no_operand, rounds,    radians,              costly)           \
  P(degrees,           "degrees(x)",                 takes(type),                   type,    never,          no_operand, rounds,    degrees,              costly)           \
  P(sin,               "sin(x)",                     takes(type),                   type,    never,          no_operand, rounds,    sin,                  costly)           \
  P(cos,               "cos(x)",                     takes(type),                   type,    never,          no_operand, rounds,    cos,                  costly)           \
  P(tan,               "tan(x)",                     takes(type),                   type,    never,          no_operand, rounds,    tan,                  costly)           \
  P(asin,              "asin(x)",                    takes(type),                   type,    outside_one,    no_operand, rounds,    asin,                 costly)           \
  P(acos,              "acos(x)",                    takes(type),                   type,    outside_one,    no_operand, rounds,    acos,                 costly)           \
  P(atan,              "atan(x)",                    takes(type),                   type,    never,          no_operand, rounds,    atan,                 costly)           \
  P(sinh,              "sinh(x)",                    takes(type),                   type,    never,          no_operand, rounds,    sinh,                 costly)           \
  P(cosh,              "cosh(x)",                    takes(type),                   type,    never,          no_operand, rounds,    cosh,                 costly)           \
  P(tanh,              "tanh(x)",                    takes(type),                   type,    never,          no_operand, rounds,    tanh,                 costly)           \
  P(asinh,             "asinh(x)",                   takes(type),                   type,    never,          no_operand, rounds,    asinh,                costly)           \
  P(acosh,             "acosh(x)",                   takes(type),                   type,    below_one,      no_operand, rounds,    acosh,                costly)           \
  P(atanh,             "atanh(x)",                   takes(type),                   type,    not_inside_one, no_operand, rounds,    atanh,                costly)           \
  P(atan2,             "atan(x, y)",                 takes(type, type),             type,    both_zero,      no_operand, rounds,    atan2,                costly)           \
  P(pow,               "pow(x, y)",                  takes(type, type),             type,    power,          no_operand, rounds,    pow,                  costly)           \
  P(exp,               "exp(x)",                     takes(type),                   type,    never,          no_operand, rounds,    exp,                  costly)           \
  P(log,               "log(x)",                     takes(type),                   type,    not_positive,   no_operand, rounds,    log,                  costly)           \
  P(exp2,              "exp2(x)",                    takes(type),                   type,    never,          no_operand, rounds,    exp2,                 costly)           \
  P(log2,              "log2(x)",                    takes(type),                   type,    not_positive,   no_operand, rounds,    log2,                 costly)           \
  P(sqrt,              "sqrt(x)",                    takes(type),                   type,    negative,       no_operand, rounds,    sqrt,                 costly)           \
  P(inverse_sqrt,      "inversesqrt(x)",             takes(type),                   type,    not_positive,   no_operand, rounds,    inverse_sqrt,         costly)           \
  P(fma,               "fma(x, y, z)",               takes(type, type, type),       type,    never,          no_operand, rounds,    fused,                costly)           \
  P(mix,               "mix(x, y, z)",               takes(type, type, type),       type,    never,          no_operand, rounds,    mix,                  costly)           \
  P(step,              "step(x, y)",                 takes(type, type),             type,    never,          no_operand, rounds,    step,                 costly)           \
  P(smooth_step,       "smoothstep(x, y, z)",        takes(type, type, type),       type,    edges,          no_operand, rounds,    smooth_step,          costly)           \
  P(modf_fraction,     "modf(x)",                    takes(type),                   type,    never,          no_operand, rounds,    fraction,             costly)           \
  P(modf_whole,        "modf(x)",                    takes(type),                   type,    never,          no_operand, rounds,    trunc,                costly)           \
  P(frexp_fraction,    "frexp(x)",                   takes(type),                   type,    never,          no_operand, rounds,    significand,          costly)           \
  P(frexp_exponent,    "frexp(x)",                   takes(type),                   i32,     never,          no_operand, of_bits,   exponent,             costly)           \
  P(ldexp,             "ldexp(x, y)",                takes(type, i32),              type,    exponent,       no_operand, rounds,    scaled,               costly)           \
  P(pack_unorm_4x8,    "packUnorm4x8(x, y, z, w)",   takes(type, type, type, type), type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(pack_snorm_4x8,    "packSnorm4x8(x, y, z, w)",   takes(type, type, type, type), type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(pack_unorm_2x16,   "packUnorm2x16(x, y)",        takes(type, type),             type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(pack_snorm_2x16,   "packSnorm2x16(x, y)",        takes(type, type),             type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(pack_half_2x16,    "packHalf2x16(x, y)",         takes(type, type),             type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(unpack_unorm_4x8,  "unpackUnorm4x8(x)",          takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(unpack_snorm_4x8,  "unpackSnorm4x8(x)",          takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(unpack_unorm_2x16, "unpackUnorm2x16(x)",         takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(unpack_snorm_2x16, "unpackSnorm2x16(x)",         takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(unpack_half_2x16,  "unpackHalf2x16(x)",          takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(extract_piece,     "copy(x)",                    takes(from),                   type,    never,          no_operand, exact,     bits_as_another_type, costly)           \
  P(join_pieces,       "copy(x, y)",                 takes(type, from),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(chain,             "copy(x, y)",                 takes(u32, u32),               u32,     never,          no_operand, exact,     integers,             cheap_if_uniform) \
  P(address_add,       "copy(x, y)",                 takes(u64, from),              u64,     never,          no_operand, exact,     integers,             costly)           \
  P(quantize_f16,      "quantizeToF16(x)",           takes(type),                   type,    never,          no_operand, exact,     quantized,            costly)

/// Side effects and sources of values. Each works on the active lanes.
///
///   E(code, operands, result, uniformity, undefined, bounds, event)
///
/// code         Code::code
/// operands     what it takes, in order
/// result       the type of what it gives
/// uniformity   whether its results are uniform where its operands are
/// undefined    what becomes of undefined operands: UndefinedTracking::track_ and this name
/// bounds       what other values memory and results may have: Inexact::see_ and AllowedTracking::track_ with this name
/// event        whether observers hear of it, and work is counted at it
///
/// move             writes a variable in the active lanes
/// load, store      access memory of a known resource; load_address, store_address through a pointer
/// load_indexed     reads a variable with an index that is not constant, as store_indexed writes one
/// image_texel      makes the texel's number of coordinates, all ones outside
/// image_sample     reads through a sampler
/// count            adds the active lanes to a counter
/// count_split      counts that the active lanes differ in the operand
/// undefined_lanes  finds where a subgroup operation with the same operands has no defined result
/// report_undefined reports the active lanes where its operand, which must be defined, is not
/// expect           reports the active lanes in which an expectation fails
/// declare          begins the lifetime of a function's variables, without a value
/// allow            keeps the values that a device may have instead of the reference's
/// tell_variable    tells observers what the active lanes have in a named variable
#define LOCKSTEP_EFFECTS(E) \
  E(move,             takes(type),                                       type,    differs,     move,          move,          silent) \
  E(load,             takes(optional(u32)),                              type,    of_operands, load,          load,          told)   \
  E(store,            takes(or_none(u32), rest(type)),                   nothing, differs,     store,         store,         told)   \
  E(load_address,     takes(u64),                                        type,    of_operands, load,          load,          told)   \
  E(store_address,    takes(or_none(u64), rest(type)),                   nothing, differs,     store,         store,         told)   \
  E(load_indexed,     takes(u32),                                        type,    differs,     load_indexed,  load_indexed,  told)   \
  E(store_indexed,    takes(u32, type),                                  nothing, differs,     store_indexed, store_indexed, told)   \
  E(array_length,     takes(optional(u64)),                              u32,     of_operands, query,         of_operands,   silent) \
  E(atomic,           takes(or_none(u32), rest(type)),                   type,    differs,     atomic,        atomic,        told)   \
  E(atomic_address,   takes(or_none(u64), rest(type)),                   type,    differs,     atomic,        atomic,        told)   \
  E(image_texel,      takes(rest(u32)),                                  u32,     differs,     texel,         of_operands,   silent) \
  E(image_load,       takes(u32, rest(u32)),                             type,    differs,     nothing,       image_load,    told)   \
  E(image_store,      takes(u32, type, type, type, type, optional(u32)), nothing, differs,     image_store,   image_store,   told)   \
  E(image_size,       takes(rest(u32)),                                  u32,     of_operands, query,         of_operands,   silent) \
  E(image_sample,     takes(rest(f32)),                                  type,    differs,     sample,        image_sample,  told)   \
  E(print,            takes(anything),                                   nothing, differs,     print,         nothing,       silent) \
  E(count,            takes(anything),                                   nothing, differs,     nothing,       nothing,       silent) \
  E(count_split,      takes(anything),                                   nothing, differs,     nothing,       nothing,       silent) \
  E(clock,            takes(anything),                                   nothing, differs,     nothing,       clock,         silent) \
  E(undefined_lanes,  takes(anything),                                   nothing, differs,     nothing,       nothing,       silent) \
  E(report_undefined, takes(anything),                                   nothing, differs,     nothing,       nothing,       silent) \
  E(expect,           takes(anything),                                   nothing, differs,     nothing,       nothing,       silent) \
  E(declare,          takes(anything),                                   nothing, differs,     declare,       nothing,       silent) \
  E(allow,            takes(anything),                                   nothing, differs,     nothing,       nothing,       silent) \
  E(tell_variable,    takes(anything),                                   nothing, differs,     nothing,       nothing,       silent)

/// Control flow: operations that decide which lanes are active. leave_loop_around leaves a loop from inside a switch.
///
///   F(code, operands, undefined)
///
/// code         Code::code
/// operands     what it takes, in order
/// undefined    which operand must be defined: UndefinedTracking::track_ and this name
#define LOCKSTEP_FLOW(F) \
  F(if_begin,          takes(boolean),      condition) \
  F(if_else,           takes(anything),     nothing)   \
  F(if_end,            takes(anything),     nothing)   \
  F(loop_begin,        takes(anything),     nothing)   \
  F(loop_head,         takes(anything),     nothing)   \
  F(loop_test,         takes(boolean),      loop_test) \
  F(trip_end,          takes(anything),     nothing)   \
  F(loop_back,         takes(anything),     nothing)   \
  F(loop_end,          takes(anything),     nothing)   \
  F(switch_begin,      takes(integer),      selector)  \
  F(switch_case,       takes(integer_type), nothing)   \
  F(switch_end,        takes(anything),     nothing)   \
  F(call_begin,        takes(anything),     nothing)   \
  F(call_end,          takes(anything),     nothing)   \
  F(leave_loop,        takes(anything),     nothing)   \
  F(leave_loop_around, takes(anything),     nothing)   \
  F(leave_trip,        takes(anything),     nothing)   \
  F(retire,            takes(anything),     nothing)   \
  F(barrier,           takes(anything),     nothing)   \
  F(memory_barrier,    takes(anything),     nothing)   \
  F(end,               takes(anything),     nothing)
// clang-format on

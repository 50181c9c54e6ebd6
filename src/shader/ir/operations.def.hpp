#pragma once

/// \file
/// The one table of the shader engine's operations: all that is known of each and needs no code. What lists operations
/// expands it, and src/shader/ir/operations.hpp has it as values.
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
///   P(code, text, instructions, numbers, operands, result, undefined, decided, precision, bounds, cost)
///
/// code         Code::code
/// text         how messages show it, in GLSL where it has a name there
/// instructions that are it, component by component: `op` of SPIR-V, `glsl` of GLSL.std.450. Their operands are read as
///              signed or unsigned where the word says so (lower/plain.cpp). Code in src/shader/lower makes it of others
/// numbers      the types that it computes on, which say in which file its function Compute<code> is
/// operands     what it takes, in order
/// result       the type of what it gives
/// undefined    where its result is undefined (ir/undefined_results.cpp)
/// decided      which operand can decide the result alone, whatever the others are
/// precision    whether devices may give other results
/// bounds       which results they may give (exec/ops/bound_compute.cpp)
/// cost         whether it is a few machine instructions
///
/// chain is a byte offset + index * stride, and all ones when out of range. address_add is a pointer + index * stride,
/// and stays in what it points into.
#define LOCKSTEP_PURE_OPERATIONS(P) \
  P(copy,              "copy(x)",                    lowers(),                                                                                       any,              takes(type),                   type,    never,          no_operand, passes_on, bits_as_another_type, cheap)            \
  P(add,               "x + y",                      lowers(op(OpIAdd), op(OpFAdd)),                                                                 wrapping_number,  takes(type, type),             type,    never,          no_operand, rounds,    add,                  cheap)            \
  P(sub,               "x - y",                      lowers(op(OpISub), op(OpFSub)),                                                                 wrapping_number,  takes(type, type),             type,    never,          no_operand, rounds,    subtract,             cheap)            \
  P(mul,               "x * y",                      lowers(op(OpIMul), op(OpFMul)),                                                                 wrapping_number,  takes(type, type),             type,    never,          zero,       rounds,    multiply,             cheap)            \
  P(neg,               "-(x)",                       lowers(op(OpSNegate), op(OpFNegate)),                                                           wrapping_number,  takes(type),                   type,    never,          no_operand, exact,     negated,              cheap)            \
  P(div,               "x / y",                      lowers(op(OpFDiv), op_signed(OpSDiv), op_unsigned(OpUDiv)),                                     number,           takes(type, type),             type,    quotient,       no_operand, rounds,    divide,               cheap_by_power)   \
  P(mod,               "mod(x, y)",                  lowers(op(OpFMod), op_signed(OpSMod), op_unsigned(OpUMod)),                                     number,           takes(type, type),             type,    quotient,       no_operand, rounds,    modulo,               cheap_by_power)   \
  P(rem,               "rem(x, y)",                  lowers(op(OpFRem), op_signed(OpSRem)),                                                          number,           takes(type, type),             type,    quotient,       no_operand, rounds,    remainder,            costly)           \
  P(band,              "x & y",                      lowers(op(OpBitwiseAnd), op(OpLogicalAnd)),                                                     wrapping_integer, takes(type, type),             type,    never,          zero,       exact,     integers,             cheap)            \
  P(bor,               "x | y",                      lowers(op(OpBitwiseOr), op(OpLogicalOr)),                                                       wrapping_integer, takes(type, type),             type,    never,          truth,      exact,     integers,             cheap)            \
  P(bxor,              "x ^ y",                      lowers(op(OpBitwiseXor), op(OpLogicalNotEqual)),                                                wrapping_integer, takes(type, type),             type,    never,          no_operand, exact,     integers,             cheap)            \
  P(bnot,              "~(x)",                       lowers(op(OpNot), op(OpLogicalNot)),                                                            wrapping_integer, takes(type),                   type,    never,          no_operand, exact,     integers,             cheap)            \
  P(shl,               "x << y",                     lowers(op_unsigned(OpShiftLeftLogical)),                                                        wrapping_integer, takes(type, type),             type,    shift_count,    no_operand, exact,     integers,             cheap)            \
  P(shr,               "x >> y",                     lowers(op_unsigned(OpShiftRightLogical), op_signed(OpShiftRightArithmetic)),                    integer,          takes(type, type),             type,    shift_count,    no_operand, exact,     integers,             cheap)            \
  P(equal,             "x == y",                     lowers(),                                                                                       wrapping_number,  takes(type, type),             boolean, never,          no_operand, exact,     equal,                cheap)            \
  P(not_equal,         "x != y",                     lowers(),                                                                                       wrapping_number,  takes(type, type),             boolean, never,          no_operand, exact,     equal,                cheap)            \
  P(less,              "x < y",                      lowers(),                                                                                       number,           takes(type, type),             boolean, never,          no_operand, exact,     less,                 cheap)            \
  P(less_equal,        "x <= y",                     lowers(),                                                                                       number,           takes(type, type),             boolean, never,          no_operand, exact,     less_equal,           cheap)            \
  P(select,            "select(x, y, z)",            lowers(),                                                                                       any,              takes(boolean, type, type),    type,    never,          condition,  passes_on, selection,            cheap)            \
  P(convert,           "convert(x)",                 lowers(),                                                                                       own,              takes(from),                   type,    conversion,     no_operand, converts,  conversion,           costly)           \
  P(mul_high,          "mulExtended(x, y)",          lowers(),                                                                                       integer,          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(add_carry,         "addCarry(x, y)",             lowers(),                                                                                       integer,          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(sub_borrow,        "subBorrow(x, y)",            lowers(),                                                                                       integer,          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(add_sat,           "addSaturate(x, y)",          lowers(op_signed(OpIAddSatINTEL), op_unsigned(OpUAddSatINTEL)),                                 integer,          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(sub_sat,           "subtractSaturate(x, y)",     lowers(op_signed(OpISubSatINTEL), op_unsigned(OpUSubSatINTEL)),                                 integer,          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(abs_difference,    "absoluteDifference(x, y)",   lowers(op_signed(OpAbsISubINTEL), op_unsigned(OpAbsUSubINTEL)),                                 integer,          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(average,           "average(x, y)",              lowers(op_signed(OpIAverageINTEL), op_unsigned(OpUAverageINTEL)),                               integer,          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(average_rounded,   "averageRounded(x, y)",       lowers(op_signed(OpIAverageRoundedINTEL), op_unsigned(OpUAverageRoundedINTEL)),                 integer,          takes(type, type),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(bit_insert,        "bitfieldInsert(x, y, z, w)", lowers(),                                                                                       integer,          takes(type, type, u32, u32),   type,    bit_field,      no_operand, exact,     integers,             costly)           \
  P(bit_extract,       "bitfieldExtract(x, y, z)",   lowers(),                                                                                       integer,          takes(type, u32, u32),         type,    bit_field,      no_operand, exact,     integers,             costly)           \
  P(bit_reverse,       "bitfieldReverse(x)",         lowers(op_unsigned(OpBitReverse)),                                                              integer,          takes(type),                   type,    never,          no_operand, exact,     integers,             costly)           \
  P(bit_count,         "bitCount(x)",                lowers(),                                                                                       integer,          takes(type),                   i32,     never,          no_operand, exact,     integers,             costly)           \
  P(leading_zeros,     "countLeadingZeros(x)",       lowers(op_unsigned(OpUCountLeadingZerosINTEL)),                                                 integer,          takes(type),                   i32,     never,          no_operand, exact,     integers,             costly)           \
  P(trailing_zeros,    "countTrailingZeros(x)",      lowers(op_unsigned(OpUCountTrailingZerosINTEL)),                                                integer,          takes(type),                   i32,     never,          no_operand, exact,     integers,             costly)           \
  P(find_lsb,          "findLSB(x)",                 lowers(glsl_unsigned(GLSLstd450FindILsb)),                                                      integer,          takes(type),                   i32,     never,          no_operand, exact,     integers,             costly)           \
  P(find_msb,          "findMSB(x)",                 lowers(glsl_signed(GLSLstd450FindSMsb), glsl_unsigned(GLSLstd450FindUMsb)),                     integer,          takes(type),                   i32,     never,          no_operand, exact,     integers,             costly)           \
  P(abs,               "abs(x)",                     lowers(glsl(GLSLstd450FAbs), glsl_signed(GLSLstd450SAbs)),                                      number,           takes(type),                   type,    never,          no_operand, exact,     absolute,             costly)           \
  P(sign,              "sign(x)",                    lowers(glsl(GLSLstd450FSign), glsl_signed(GLSLstd450SSign)),                                    number,           takes(type),                   type,    never,          no_operand, exact,     sign,                 costly)           \
  P(min,               "min(x, y)",                  lowers(glsl(GLSLstd450FMin), glsl_unsigned(GLSLstd450UMin), glsl_signed(GLSLstd450SMin)),       number,           takes(type, type),             type,    never,          no_operand, exact,     minimum,              cheap)            \
  P(max,               "max(x, y)",                  lowers(glsl(GLSLstd450FMax), glsl_unsigned(GLSLstd450UMax), glsl_signed(GLSLstd450SMax)),       number,           takes(type, type),             type,    never,          no_operand, exact,     maximum,              cheap)            \
  P(clamp,             "clamp(x, y, z)",             lowers(glsl(GLSLstd450FClamp), glsl_unsigned(GLSLstd450UClamp), glsl_signed(GLSLstd450SClamp)), number,           takes(type, type, type),       type,    limits,         no_operand, rounds,    clamp,                costly)           \
  P(nmin,              "min(x, y)",                  lowers(glsl(GLSLstd450NMin)),                                                                   real,             takes(type, type),             type,    never,          no_operand, rounds,    minimum,              costly)           \
  P(nmax,              "max(x, y)",                  lowers(glsl(GLSLstd450NMax)),                                                                   real,             takes(type, type),             type,    never,          no_operand, rounds,    maximum,              costly)           \
  P(nclamp,            "clamp(x, y, z)",             lowers(glsl(GLSLstd450NClamp)),                                                                 real,             takes(type, type, type),       type,    limits,         no_operand, rounds,    clamp,                costly)           \
  P(flush,             "flushToZero(x)",             lowers(),                                                                                       real,             takes(type),                   type,    never,          no_operand, rounds,    flushed,              costly)           \
  P(is_nan,            "isnan(x)",                   lowers(op(OpIsNan)),                                                                            real,             takes(real),                   boolean, never,          no_operand, of_bits,   special,              costly)           \
  P(is_inf,            "isinf(x)",                   lowers(op(OpIsInf)),                                                                            real,             takes(real),                   boolean, never,          no_operand, of_bits,   special,              costly)           \
  P(round,             "round(x)",                   lowers(glsl(GLSLstd450Round)),                                                                  real,             takes(type),                   type,    never,          no_operand, rounds,    round,                costly)           \
  P(round_even,        "roundEven(x)",               lowers(glsl(GLSLstd450RoundEven)),                                                              real,             takes(type),                   type,    never,          no_operand, rounds,    round_even,           costly)           \
  P(trunc,             "trunc(x)",                   lowers(glsl(GLSLstd450Trunc)),                                                                  real,             takes(type),                   type,    never,          no_operand, exact,     trunc,                costly)           \
  P(floor,             "floor(x)",                   lowers(glsl(GLSLstd450Floor)),                                                                  real,             takes(type),                   type,    never,          no_operand, exact,     floor,                costly)           \
  P(ceil,              "ceil(x)",                    lowers(glsl(GLSLstd450Ceil)),                                                                   real,             takes(type),                   type,    never,          no_operand, exact,     ceil,                 costly)           \
  P(fract,             "fract(x)",                   lowers(glsl(GLSLstd450Fract)),                                                                  real,             takes(type),                   type,    never,          no_operand, rounds,    fract,                costly)           \
  P(radians,           "radians(x)",                 lowers(glsl(GLSLstd450Radians)),                                                                function,         takes(type),                   type,    never,          no_operand, rounds,    radians,              costly)           \
  P(degrees,           "degrees(x)",                 lowers(glsl(GLSLstd450Degrees)),                                                                function,         takes(type),                   type,    never,          no_operand, rounds,    degrees,              costly)           \
  P(sin,               "sin(x)",                     lowers(glsl(GLSLstd450Sin)),                                                                    function,         takes(type),                   type,    never,          no_operand, rounds,    sin,                  costly)           \
  P(cos,               "cos(x)",                     lowers(glsl(GLSLstd450Cos)),                                                                    function,         takes(type),                   type,    never,          no_operand, rounds,    cos,                  costly)           \
  P(tan,               "tan(x)",                     lowers(glsl(GLSLstd450Tan)),                                                                    function,         takes(type),                   type,    never,          no_operand, rounds,    tan,                  costly)           \
  P(asin,              "asin(x)",                    lowers(glsl(GLSLstd450Asin)),                                                                   function,         takes(type),                   type,    outside_one,    no_operand, rounds,    asin,                 costly)           \
  P(acos,              "acos(x)",                    lowers(glsl(GLSLstd450Acos)),                                                                   function,         takes(type),                   type,    outside_one,    no_operand, rounds,    acos,                 costly)           \
  P(atan,              "atan(x)",                    lowers(glsl(GLSLstd450Atan)),                                                                   function,         takes(type),                   type,    never,          no_operand, rounds,    atan,                 costly)           \
  P(sinh,              "sinh(x)",                    lowers(glsl(GLSLstd450Sinh)),                                                                   function,         takes(type),                   type,    never,          no_operand, rounds,    sinh,                 costly)           \
  P(cosh,              "cosh(x)",                    lowers(glsl(GLSLstd450Cosh)),                                                                   function,         takes(type),                   type,    never,          no_operand, rounds,    cosh,                 costly)           \
  P(tanh,              "tanh(x)",                    lowers(glsl(GLSLstd450Tanh)),                                                                   function,         takes(type),                   type,    never,          no_operand, rounds,    tanh,                 costly)           \
  P(asinh,             "asinh(x)",                   lowers(glsl(GLSLstd450Asinh)),                                                                  function,         takes(type),                   type,    never,          no_operand, rounds,    asinh,                costly)           \
  P(acosh,             "acosh(x)",                   lowers(glsl(GLSLstd450Acosh)),                                                                  function,         takes(type),                   type,    below_one,      no_operand, rounds,    acosh,                costly)           \
  P(atanh,             "atanh(x)",                   lowers(glsl(GLSLstd450Atanh)),                                                                  function,         takes(type),                   type,    not_inside_one, no_operand, rounds,    atanh,                costly)           \
  P(atan2,             "atan(x, y)",                 lowers(glsl(GLSLstd450Atan2)),                                                                  function,         takes(type, type),             type,    both_zero,      no_operand, rounds,    atan2,                costly)           \
  P(pow,               "pow(x, y)",                  lowers(glsl(GLSLstd450Pow)),                                                                    function,         takes(type, type),             type,    power,          no_operand, rounds,    pow,                  costly)           \
  P(exp,               "exp(x)",                     lowers(glsl(GLSLstd450Exp)),                                                                    function,         takes(type),                   type,    never,          no_operand, rounds,    exp,                  costly)           \
  P(log,               "log(x)",                     lowers(glsl(GLSLstd450Log)),                                                                    function,         takes(type),                   type,    not_positive,   no_operand, rounds,    log,                  costly)           \
  P(exp2,              "exp2(x)",                    lowers(glsl(GLSLstd450Exp2)),                                                                   function,         takes(type),                   type,    never,          no_operand, rounds,    exp2,                 costly)           \
  P(log2,              "log2(x)",                    lowers(glsl(GLSLstd450Log2)),                                                                   function,         takes(type),                   type,    not_positive,   no_operand, rounds,    log2,                 costly)           \
  P(sqrt,              "sqrt(x)",                    lowers(glsl(GLSLstd450Sqrt)),                                                                   real_function,    takes(type),                   type,    negative,       no_operand, rounds,    sqrt,                 costly)           \
  P(inverse_sqrt,      "inversesqrt(x)",             lowers(glsl(GLSLstd450InverseSqrt)),                                                            real_function,    takes(type),                   type,    not_positive,   no_operand, rounds,    inverse_sqrt,         costly)           \
  P(fma,               "fma(x, y, z)",               lowers(glsl(GLSLstd450Fma)),                                                                    real,             takes(type, type, type),       type,    never,          no_operand, rounds,    fused,                costly)           \
  P(mix,               "mix(x, y, z)",               lowers(glsl(GLSLstd450FMix)),                                                                   real,             takes(type, type, type),       type,    never,          no_operand, rounds,    mix,                  costly)           \
  P(step,              "step(x, y)",                 lowers(glsl(GLSLstd450Step)),                                                                   real,             takes(type, type),             type,    never,          no_operand, rounds,    step,                 costly)           \
  P(smooth_step,       "smoothstep(x, y, z)",        lowers(glsl(GLSLstd450SmoothStep)),                                                             real,             takes(type, type, type),       type,    edges,          no_operand, rounds,    smooth_step,          costly)           \
  P(modf_fraction,     "modf(x)",                    lowers(),                                                                                       real_function,    takes(type),                   type,    never,          no_operand, rounds,    fraction,             costly)           \
  P(modf_whole,        "modf(x)",                    lowers(),                                                                                       real_function,    takes(type),                   type,    never,          no_operand, rounds,    trunc,                costly)           \
  P(frexp_fraction,    "frexp(x)",                   lowers(),                                                                                       real_function,    takes(type),                   type,    never,          no_operand, rounds,    significand,          costly)           \
  P(frexp_exponent,    "frexp(x)",                   lowers(),                                                                                       real_function,    takes(type),                   i32,     never,          no_operand, of_bits,   exponent,             costly)           \
  P(ldexp,             "ldexp(x, y)",                lowers(),                                                                                       real_function,    takes(type, i32),              type,    exponent,       no_operand, rounds,    scaled,               costly)           \
  P(pack_unorm_4x8,    "packUnorm4x8(x, y, z, w)",   lowers(),                                                                                       packing,          takes(type, type, type, type), type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(pack_snorm_4x8,    "packSnorm4x8(x, y, z, w)",   lowers(),                                                                                       packing,          takes(type, type, type, type), type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(pack_unorm_2x16,   "packUnorm2x16(x, y)",        lowers(),                                                                                       packing,          takes(type, type),             type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(pack_snorm_2x16,   "packSnorm2x16(x, y)",        lowers(),                                                                                       packing,          takes(type, type),             type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(pack_half_2x16,    "packHalf2x16(x, y)",         lowers(),                                                                                       packing,          takes(type, type),             type,    never,          no_operand, of_bits,   packed,               costly)           \
  P(unpack_unorm_4x8,  "unpackUnorm4x8(x)",          lowers(),                                                                                       packing,          takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(unpack_snorm_4x8,  "unpackSnorm4x8(x)",          lowers(),                                                                                       packing,          takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(unpack_unorm_2x16, "unpackUnorm2x16(x)",         lowers(),                                                                                       packing,          takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(unpack_snorm_2x16, "unpackSnorm2x16(x)",         lowers(),                                                                                       packing,          takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(unpack_half_2x16,  "unpackHalf2x16(x)",          lowers(),                                                                                       packing,          takes(type),                   type,    never,          no_operand, of_bits,   unpacked,             costly)           \
  P(extract_piece,     "copy(x)",                    lowers(),                                                                                       own,              takes(from),                   type,    never,          no_operand, exact,     bits_as_another_type, costly)           \
  P(join_pieces,       "copy(x, y)",                 lowers(),                                                                                       own,              takes(type, from),             type,    never,          no_operand, exact,     integers,             costly)           \
  P(chain,             "copy(x, y)",                 lowers(),                                                                                       own,              takes(u32, u32),               u32,     never,          no_operand, exact,     integers,             cheap_if_uniform) \
  P(address_add,       "copy(x, y)",                 lowers(),                                                                                       own,              takes(u64, from),              u64,     never,          no_operand, exact,     integers,             costly)           \
  P(quantize_f16,      "quantizeToF16(x)",           lowers(),                                                                                       packing,          takes(type),                   type,    never,          no_operand, exact,     quantized,            costly)

/// Side effects and sources of values. Each works on the active lanes.
///
///   E(code, operands, result, uniformity, undefined, bounds, event, instruction)
///
/// code         Code::code
/// operands     what it takes, in order
/// result       the type of what it gives
/// uniformity   whether its results are uniform where its operands are
/// undefined    what becomes of undefined operands: MayBeUndefined::find_ and UndefinedTracking::track_ with this name
/// bounds       what other values memory and results may have: Inexact::see_ and BoundsTracking::track_ with this name
/// event        whether observers hear of it, and work is counted at it
/// instruction  how it becomes an instruction: Assembler::emit_ and this name
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
/// bound            keeps the values that a device may have besides the run's own
/// tell_variable    tells observers what the active lanes have in a named variable
#define LOCKSTEP_EFFECTS(E) \
  E(move,             takes(type),                                       type,    differs,     move,          move,          silent, move)             \
  E(load,             takes(optional(u32)),                              type,    of_operands, load,          load,          told,   memory)           \
  E(store,            takes(or_none(u32), rest(type)),                   nothing, differs,     store,         store,         told,   memory)           \
  E(load_address,     takes(u64),                                        type,    of_operands, load,          load,          told,   memory)           \
  E(store_address,    takes(or_none(u64), rest(type)),                   nothing, differs,     store,         store,         told,   memory)           \
  E(load_indexed,     takes(u32),                                        type,    differs,     load_indexed,  load_indexed,  told,   indexed)          \
  E(store_indexed,    takes(u32, type),                                  nothing, differs,     store_indexed, store_indexed, told,   indexed)          \
  E(array_length,     takes(optional(u64)),                              u32,     of_operands, query,         of_operands,   silent, memory)           \
  E(atomic,           takes(or_none(u32), rest(type)),                   type,    differs,     atomic,        atomic,        told,   memory)           \
  E(atomic_address,   takes(or_none(u64), rest(type)),                   type,    differs,     atomic,        atomic,        told,   memory)           \
  E(image_texel,      takes(rest(u32)),                                  u32,     differs,     texel,         of_operands,   silent, image)            \
  E(image_load,       takes(u32, rest(u32)),                             type,    differs,     nothing,       image_load,    told,   image)            \
  E(image_store,      takes(u32, type, type, type, type, optional(u32)), nothing, differs,     image_store,   image_store,   told,   image)            \
  E(image_size,       takes(rest(u32)),                                  u32,     of_operands, query,         of_operands,   silent, image)            \
  E(image_sample,     takes(rest(f32)),                                  type,    differs,     sample,        image_sample,  told,   sample)           \
  E(print,            takes(anything),                                   nothing, differs,     print,         nothing,       silent, print)            \
  E(count,            takes(anything),                                   nothing, differs,     nothing,       nothing,       silent, count)            \
  E(count_split,      takes(anything),                                   nothing, differs,     nothing,       nothing,       silent, count)            \
  E(undefined_lanes,  takes(anything),                                   nothing, differs,     nothing,       nothing,       silent, undefined_lanes)  \
  E(report_undefined, takes(anything),                                   nothing, differs,     nothing,       nothing,       silent, report_undefined) \
  E(expect,           takes(anything),                                   nothing, differs,     nothing,       nothing,       silent, expect)           \
  E(declare,          takes(anything),                                   nothing, differs,     declare,       nothing,       silent, none)             \
  E(bound,            takes(anything),                                   nothing, differs,     nothing,       nothing,       silent, bound)            \
  E(tell_variable,    takes(anything),                                   nothing, differs,     nothing,       nothing,       silent, tell_variable)

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

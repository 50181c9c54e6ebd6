#pragma once

#include "shader/run/ops/built_in_function.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"
#include "shader/run/ops/wide.hpp"

/// \file
/// Reductions and scans. One file per family of types, because each is many functions.

namespace lockstep::spirv {

constexpr bool is_reduction(spec::Name name) {
  const spec::Form form = form_of(name);
  return row_of(name).op && (form == spec::Form::value || form == spec::Form::value_cluster);
}
constexpr bool is_reduction_of_floats(spec::Name name) {
  return is_reduction(name) && spec::function(name).types == "TN";
}
constexpr bool is_reduction_of_bools(spec::Name name) {
  return is_reduction(name) && spec::function(name).types == "TI";
}
/// Signed and unsigned integers differ in these only.
constexpr bool reads_sign(spec::Name name) {
  return is_reduction(name) && spec::function(name).opcodes[0].is_signed;
}

template <spec::Name name, class T, int P>
const Inst* reduction(const Inst* i, Context& c) {
  const Mask<P> active = active_lanes<P>(c);
  const auto value = get_wide<T, P>(c.regs + i->a, i->varying(0));
  if constexpr (form_of(name) == spec::Form::value_cluster)
    return give<P>(i, c,
                   BuiltInFunction<name>::call(active, value, static_cast<std::uint32_t>(i->imm)));
  else
    return give<P>(i, c, BuiltInFunction<name>::call(active, value));
}

template <bool (*is_chosen)(spec::Name), class T, int P>
Run find_reduction_on(spec::Name name) {
  return for_name<is_chosen>(name,
                             []<spec::Name known>() -> Run { return reduction<known, T, P>; });
}

/// f.template operator()<P>() for the register width.
template <class F>
Run for_width(int width, F f) {
  Run run = nullptr;
  [&]<int... P>(std::integer_sequence<int, P...>) {
    static_cast<void>(((P == width && (run = f.template operator()<P>(), true)) || ...));
  }
  (RegisterWidths());
  return run;
}

}  // namespace lockstep::spirv

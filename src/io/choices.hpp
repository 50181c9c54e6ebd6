#pragma once

/// \file
/// What an implementation may choose, in words.

#include <string_view>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/workgroup_order.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/float_order.hpp>

namespace lockstep::io {

/// linear, reversed, shuffled:SEED or quads; in subgroups that are full, or filled in part: even or random:SEED.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that starts with the option of `lockstep run` and says what to write.
/// Cost          None.
/// Spec          None.
/// Example       tests/io/choices.cpp
Mapping parse_mapping(std::string_view how, std::string_view partial = {});
/// linear, reversed, shuffled:SEED or permutation:NUMBER.
WorkgroupOrder parse_workgroup_order(std::string_view how);
/// maximal, subgroup-uniform or core; maximal if empty.
Rule parse_rule(std::string_view name);
/// tree, left_fold, hillis_steele or butterfly; tree if empty.
FloatOrder parse_float_order(std::string_view name);

}  // namespace lockstep::io

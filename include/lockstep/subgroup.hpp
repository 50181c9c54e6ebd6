#pragma once

/// \file
/// Every GLSL subgroup built-in as a pure function of (active mask, values).

#include <lockstep/subgroup/arb.hpp>
#include <lockstep/subgroup/arithmetic.hpp>
#include <lockstep/subgroup/ballot.hpp>
#include <lockstep/subgroup/basic.hpp>
#include <lockstep/subgroup/clustered.hpp>
#include <lockstep/subgroup/derivatives.hpp>
#include <lockstep/subgroup/partitioned.hpp>
#include <lockstep/subgroup/quad.hpp>
#include <lockstep/subgroup/rotate.hpp>
#include <lockstep/subgroup/shuffle.hpp>
#include <lockstep/subgroup/shuffle_relative.hpp>
#include <lockstep/subgroup/variables.hpp>
#include <lockstep/subgroup/vote.hpp>

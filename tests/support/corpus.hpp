#pragma once

/// \file
/// What tests sweep and how they compare: sizes and types (types.hpp), masks (masks.hpp), values
/// and comparisons (values.hpp), seed and sampling (settings.hpp).
///
/// A test body is a plain loop over lanes next to the operation:
///
///   for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) {
///     Random random = make_random(W);
///     for (const Mask<W> active : masks<W>()) {
///       INFO(describe<T>(active));
///       const auto values = sample_values<T, W>(random, Values::special);  // padding holds
///       garbage LaneArray<T, W> expected = ...;                                    // the loop
///       CHECK(difference(operation(active, lanes_from<T, W>(values)), expected, active) == "");
///     }
///   });

#include "support/masks.hpp"
#include "support/settings.hpp"
#include "support/types.hpp"
#include "support/values.hpp"

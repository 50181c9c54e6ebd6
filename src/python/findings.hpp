#pragma once

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/size3.hpp>
#include <lockstep/exec/source_location.hpp>

#include "python/bind.hpp"
#include "report/findings.hpp"

namespace lockstep::python {

/// The findings as a list of Finding.
py::list list_of(const report::Findings& findings);
/// The lanes as a tuple of numbers.
py::tuple tuple_of(LaneSet lanes);
inline py::tuple tuple_of(const Size3& size) { return py::make_tuple(size.x, size.y, size.z); }
/// (file, line, column); None if the line is not known.
py::object place_of(const SourceLocation& where);

}  // namespace lockstep::python

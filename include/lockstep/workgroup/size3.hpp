#pragma once

#include <lockstep/exec/size3.hpp>

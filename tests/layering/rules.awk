# Reads `path:line:#include ...` and prints each include that breaks a rule.

# The layer of a path below include/lockstep or src: its folder. A header that stands beside the folder of
# its name (subgroup.hpp) belongs to it; others at the top (config.hpp) stand for themselves.
function layer(path, stem) {
  sub(/^support\//, "", path)  # of tests
  sub(/^capture\//, "", path)  # what is captured, and the client that does it
  sub(/^runtime\//, "", path)  # one library of several layers
  sub(/^shader\//, "spirv/", path)  # what is behind the public headers of that name
  sub(/\/.*/, "", path)
  stem = path
  sub(/\.hpp$/, "", stem)
  return (stem in may) ? stem : path
}

function report(why) { print where ": includes " target ": " why; bad = 1 }

function stage_of(path) {
  if (path !~ /^(src\/)?shader\/[a-z]+\//) return ""
  sub(/^(src\/)?shader\//, "", path)
  if (path ~ /^instruments\/[a-z]+\/ops\//) return "observations"
  sub(/\/.*/, "", path)
  return path
}

function stages_allow(file, target, from, to) {
  from = stage_of(file)
  to = stage_of(target)
  if (from == "" || from == to || target !~ /^shader\//) return 1
  if (to == "") return 0
  return contains(stage[from], to) || contains(stage[from], substr(target, length("shader/") + 1))
}

function contains(list, word) { return index(" " list " ", " " word " ") > 0 }

BEGIN {
  # Which folders each folder may include, besides itself and config.hpp.
  may["lanes"] = ""
  may["exec"] = "lanes"
  may["subgroup"] = "lanes exec"
  may["workgroup"] = "lanes exec subgroup"
  # Detectors know events and findings, nothing else of the machines.
  may["check"] = "exec"
  may["dispatch"] = "lanes exec subgroup workgroup check"
  may["glsl"] = "lanes exec subgroup workgroup dispatch"
  may["checked"] = "lockstep.hpp lanes exec subgroup workgroup dispatch glsl"
  may["vocabulary"] = "lanes exec subgroup workgroup dispatch glsl"
  may["spirv"] = "lanes exec subgroup workgroup dispatch check oracle"
  may["kernels"] = "lockstep.hpp lanes exec subgroup workgroup dispatch glsl checked vocabulary"
  may["ports"] = "dispatch spirv kernels"
  may["vulkan"] = "lanes exec workgroup dispatch spirv kernels"
  may["amber"] = "lanes exec subgroup workgroup dispatch glsl spirv io"
  may["explore"] = "lanes exec subgroup workgroup dispatch glsl spirv"
  may["explain"] = "exec subgroup dispatch spirv trace io report"
  may["lessons"] = "exec dispatch spirv"
  may["mpi"] = "exec explore"
  may["http"] = ""
  may["render"] = "exec trace io report"
  may["io"] = "lanes exec subgroup workgroup dispatch spirv"
  may["report"] = "lanes exec subgroup workgroup dispatch spirv io trace"
  may["job"] = "exec dispatch spirv workgroup io"
  may["judgement"] = "exec dispatch spirv workgroup io report job explore oracle"
  may["device"] = "exec dispatch spirv io job vulkan"
  may["driver"] = "exec workgroup dispatch spirv io report job explore"
  may["python"] = "exec subgroup workgroup dispatch spirv trace io report job judgement explore render explain vulkan device"
  may["shader_case"] = "exec dispatch spirv trace io report render explore judgement"
  may["playground"] = "exec dispatch spirv trace io report render explore explain lessons judgement shader_case"
  may["web"] = "playground"
  may["cli"] = "lockstep.hpp lanes exec check subgroup workgroup dispatch glsl spirv amber explore mpi http trace" \
               " oracle io kernels explain lessons render report job judgement vulkan device shader_case playground"
  # Within the shader engine: which stage each stage may include, besides itself. What stands beside the
  # stages (shader.cpp) puts them together.
  stage["front"] = ""
  stage["ir"] = "front"
  # Passes of what watches a run; its operations are compiled with those that compute.
  stage["instruments"] = "ir run/fold.hpp"
  stage["observations"] = "ir instruments run"
  stage["lower"] = "front ir instruments/analyse.hpp run/fold.hpp"
  stage["run"] = "ir instruments/analyse.hpp native/native.hpp"
  stage["native"] = "ir run"
  # The recorder knows the observer's event types and nothing else of the machine; trace.hpp also how a run is
  # started, and dispatch.hpp how a kernel is (see below).
  may["trace"] = ""
  # A reference that used the code it checks would repeat its mistakes.
  may["oracle"] = ""
  may["walker"] = ""
  # Values of lanes as text, and test frameworks; only tests include it.
  may["testing"] = "lanes exec"
  may["config.hpp"] = ""
  may["lockstep.hpp"] = "lanes exec subgroup workgroup dispatch glsl spirv amber trace oracle explore"

  # Foreign headers: the only files that may include them.
  only["^fmt/"] = "^(src|kernels/registry|tests/support/walker)/|^kernels/[a-z_]+/[a-z_]+\\.cpp$|^include/lockstep/testing/format\\.hpp$"
  only["^(iostream|functional|ranges)$"] = "^(src|kernels|tests/support)/"
  only["^[a-z0-9]*intrin\\.h$"] = "^include/lockstep/lanes/detail/"
  only["^xsimd/"] = "^include/lockstep/lanes/xsimd\\.hpp$"
  only["^(unsupported/)?Eigen/"] = \
      "^include/lockstep/glsl/(eigen|detail/lane_scalar)\\.hpp$|^src/oracle/"
  only["^(tbb|oneapi)/"] = "^src/runtime/dispatch/"
  only["^boost/"] = "^src/runtime/(check|dispatch)/|^tests/support/walker/"
  only["^CLI/"] = "^src/cli/"
  only["^httplib\\.h$"] = "^src/http/"
  only["^mpi\\.h$"] = "^src/mpi/"
  only["^nlohmann/"] = "^src/"
  only["^pybind11/"] = "^src/python/"
  only["^catch2/"] = "^include/lockstep/testing/catch\\.hpp$"
  only["^(gtest|gmock)/"] = "^include/lockstep/testing/gtest\\.hpp$"
  only["^benchmark/"] = "^$"
  # Its macros rename ordinary words, so each kernel asks for them itself.
  only["^lockstep/glsl/keywords\\.hpp$"] = "^(src/cli|kernels)/"
}

{
  match($0, /:[0-9]+:/)
  file = substr($0, 1, RSTART - 1)
  where = substr($0, 1, RSTART + RLENGTH - 2)
  if (!match($0, /[<"][^>"]+[>"]/)) next
  quoted = substr($0, RSTART, 1) == "\""
  target = substr($0, RSTART + 1, RLENGTH - 2)
  from = file
  sub(/^(include\/lockstep|src|tests\/support)\//, "", from)
  from = layer(from)

  if (!(from in may)) { report("folder " from " has no rule in " rules); next }
  for (pattern in only)
    if (target ~ pattern && file !~ only[pattern]) report("not allowed in this file")

  if (target ~ /^lockstep\//) {
    to = layer(substr(target, length("lockstep/") + 1))
  } else if (!quoted) {
    next
  } else if (file ~ /^include\//) {
    report("public headers are included as <lockstep/...>")
    next
  } else if (target ~ /\.\./) {
    report("paths start at src/, kernels/ or the file's own folder")
    next
  } else if (target !~ /\//) {
    next
  } else {
    to = layer(target)
    if (!(to in may)) to = "kernels"
  }

  if (from == "spirv" && to == "spirv" && !stages_allow(file, target))
    report(stage_of(file) " may not see " substr(target, length("shader/") + 1))
  # Its macros come after everything that they could rename.
  if (file == "include/lockstep/glsl/keywords.hpp" && target == "lockstep/lockstep.hpp") next
  if (to == from || to == "config.hpp") next
  # GLSL's functions are functions on lanes: both front ends call them.
  if (from == "spirv" && target ~ /^lockstep\/glsl\/functions(\/|\.hpp)/) next
  if (from == "trace" && target ~ /^lockstep\/exec\/(event|observer|variable_observer)/) next
  if (file ~ /(^include\/lockstep\/|^src\/runtime\/)trace\/trace\.[ch]pp$/ && to == "exec") next
  if (from == "walker" && target == "lockstep/exec/error.hpp") next
  if (file == "include/lockstep/trace/dispatch.hpp" && to == "dispatch") next
  if (!contains(may[from], to)) report(from " may not see " to)
}

END { exit bad }

#!/bin/bash
# Plants faults in the sources, one at a time, in a copy of the tree, and checks that a normal run of the
# tests finds each of them. A fault is a file mutations/FOLDER/NAME.sed: a comment that names the file it
# changes, a comment that says what breaks, and the change. The tests of tests/FOLDER have to find it.
# usage: bash tests/mutations.sh [FOLDER[/NAME]...]      all if none is named
source "$(dirname "${BASH_SOURCE[0]}")/../src/cmake/setup.sh"

faults=$root/tests/mutations
copy=$root/build/mutations/source
build=$root/build/mutations/build
limit=3600  # seconds for a folder's tests; with a fault, some loop forever

names=()
for wanted in "${@:-}"; do
  found=false
  for change in "$faults"/*/*.sed; do
    name=${change#"$faults"/}
    name=${name%.sed}
    case $name in
      "${wanted:-$name}" | "$wanted"/*) names+=("$name") found=true ;;
    esac
  done
  $found || fail "there is no fault $wanted" "See the folders of $faults."
done
folders=$(printf '%s\n' "${names[@]%/*}" | sort -u | paste -sd ';')

# passes FOLDER: builds its tests and runs them up to the first that fails; the log has its name.
# 2 if they do not compile. Sets took to the seconds that they ran.
passes() {
  local program=test_${1//\//_} started status=0
  cmake --build "$build" --parallel "$(jobs)" --target "$program" >"$build/log" 2>&1 || return 2
  started=$SECONDS
  timeout "$limit" "$build/tests/$program" --abort >"$build/log" 2>&1 || status=1
  took=$((SECONDS - started))
  return $status
}

step "The tests without a fault"
mkdir -p "$copy" "$build"
for part in CMakeLists.txt include src kernels tests docs; do
  rm -rf "${copy:?}/$part"
  cp -a "$root/$part" "$copy"  # with its times: what has not changed is not compiled again
done
# What an earlier run planted is in the objects, which are newer than the files.
planted=$build/planted
if [ -f "$planted" ]; then
  while IFS= read -r file; do touch "$copy/$file"; done <"$planted"
fi
cmake -S "$copy" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
  -DLOCKSTEP_ISA=native -DLOCKSTEP_BUILD_PROGRAM=OFF -DLOCKSTEP_BUILD_BENCH=OFF -DLOCKSTEP_INSTALL=OFF \
  -DLOCKSTEP_KERNEL_WIDTHS=128 -DLOCKSTEP_SHADER_WIDTHS=32,128 "-DLOCKSTEP_TEST_FOLDERS=$folders" \
  -DLOCKSTEP_WARNINGS_AS_ERRORS=OFF >"$build.log" || fail "CMake stopped while configuring" "See $build.log."
longest=0
for folder in ${folders//;/ }; do
  passes "$folder" || fail "the tests of $folder fail without a fault: $(tail -n 30 "$build/log")" \
    "Make them pass first."
  [ "$took" -le "$longest" ] || longest=$took
done
limit=$((3 * longest + 10))
: >"$planted"

step "${#names[@]} faults"
survivors=0
printf '%-40s %-60s %s\n' fault 'found by' 'what it breaks'
for name in "${names[@]}"; do
  change=$faults/$name.sed folder=${name%/*}
  file=$(sed -n '1s/^# //p' "$change")
  [ -f "$root/$file" ] || fail "$name names no file: '$file'" "Its first line is '# PATH'."
  echo "$file" >>"$planted"
  sed -i -f "$change" "$copy/$file"
  ! cmp -s "$copy/$file" "$root/$file" || fail "$name changes nothing" "Fit it to $file."
  status=0
  passes "$folder" || status=$?
  case $status in
    0) found=SURVIVES survivors=$((survivors + 1)) ;;
    2) fail "$name does not compile: $(grep -m3 'error' "$build/log")" "Fit it to $file." ;;
    *) found=$(sed -n '/^-----/{n;p;q}' "$build/log") ;;
  esac
  printf '%-40s %-60.60s %s\n' "$name" "${found:-a time limit}" "$(sed -n '2s/^# //p' "$change")"
  cp "$root/$file" "$copy/$file"
done

printf '\n%d faults, %d survive\n' "${#names[@]}" "$survivors"
[ "$survivors" = 0 ]

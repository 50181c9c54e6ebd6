#!/bin/bash
# usage: run.sh BUILD
# Makes the packages of a build of the program, and uses them as their users do: installs the one for Debian by the lines
# of our Dockerfile in a Debian 12 that has no compiler, and unpacks the archive in another one. That needs root.
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"
source "$root/tests/bare_root/bare_root.sh"
here=$root/tests/package
[ $# = 1 ] && [ -e "$1/CPackConfig.cmake" ] || fail "run.sh takes the folder of a build" "usage: bash tests/package/run.sh BUILD"
build=$(cd "$1" && pwd)
if ! grep -q bookworm /etc/os-release; then
  echo "Left out: the packages, which are made for Debian 12 on Debian 12."
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step "Packages: making them"
install_packages dpkg-dev
# pack OPTION...: makes them in $work; this processor is theirs, whatever the build was compiled for.
pack() { (cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work" -D CPACK_LOCKSTEP_ISA=all "$@" > log 2>&1); }
pack || fail "cpack failed" "$(cat "$work/log")"
shopt -s nullglob
packages=("$work"/*.deb) archives=("$work"/*.tar.gz) program=("$work"/lockstep_*.deb)
[ "${#packages[@]} ${#archives[@]} ${#program[@]}" = "2 1 1" ] ||
  fail "cpack did not make two packages and an archive, but $(ls "$work")" "See src/cmake/package.cmake."
archive=${archives[0]}
du -h "${packages[@]}" "$archive" | sed "s,$work/,,"
if command -v lintian > /dev/null; then
  lintian --allow-root --fail-on error --suppress-tags bad-distribution-in-changes-file "${packages[@]}" ||
    fail "lintian found errors in the packages" "lintian-explain-tags says more about each tag above."
fi

step "Packages: what cpack refuses"
# refused TEXT OPTION...
refused() {
  ! pack -G TGZ "${@:2}" || fail "cpack packages with ${*:2}" "See src/cmake/cpack.cmake."
  tr -s ' \n' ' ' < "$work/log" | grep -F -e "$1" > /dev/null || fail "cpack does not say: $1" "It says: $(cat "$work/log")"
}
refused "was compiled with LOCKSTEP_ISA=native" -D CPACK_LOCKSTEP_ISA=native -D CPACK_LOCKSTEP_THIS_CPU=OFF
refused "configure with -DLOCKSTEP_MPI=OFF" -D CPACK_LOCKSTEP_MPI=ON
refused "there is no /nowhere/lockstep: build it first" -D CPACK_LOCKSTEP_BUILT=/nowhere/lockstep

step "Packages: what is in them"
mkdir "$work/unpacked" "$work/deb"
tar -xzf "$archive" -C "$work/unpacked"
dpkg-deb -x "${program[0]}" "$work/deb"
for file in usr/bin/lockstep usr/share/lockstep/{lockstep_vulkan.json,docs/lessons/01-active-lanes/show.comp} \
  usr/share/lockstep/kernels/allocate/allocate.{comp,hpp} usr/share/doc/lockstep/docs/reference/rules.md \
  usr/share/man/man1/lockstep.1.gz usr/share/bash-completion/completions/lockstep \
  usr/share/zsh/vendor-completions/_lockstep usr/share/fish/vendor_completions.d/lockstep.fish; do
  [ -e "$work/deb/$file" ] || fail "the package has no /$file" "See src/cmake."
done
unpacked=$(echo "$work"/unpacked/lockstep-*-Linux-*)
[ -x "$unpacked/bin/lockstep" ] || fail "the archive has no bin/lockstep" "See src/cmake/cpack.cmake."
for file in "$work/deb/usr/bin/lockstep" "$(find "$work/deb" -name liblockstep_vulkan.so)"; do
  if strings -a "$file" | grep -E "$root|^(\.\./)+(kernels|src|include)/" | sort -u; then
    fail "$(basename "$file") contains these paths of the folder that it was built in" "See lockstep_name_sources in src/cmake/share.cmake."
  fi
done
# Without the symbols of debuggers.
! readelf -S "$unpacked/bin/lockstep" | grep -F .symtab > /dev/null || fail "the packaged program is not stripped" "See src/cmake/cpack.cmake."
# The C library that docs/guide/packages.md asks for.
mapfile -t objects < <(find "$unpacked" -type f \( -name '*.so*' -o -name lockstep -path '*/bin/*' \))
# newest NAME: the latest version of the C or C++ library's symbols that the archive needs.
newest() { objdump -T "${objects[@]}" | grep -oE "\($1_[0-9.]+\)" | grep -oE '[0-9.]+' | sort -uV | tail -1; }
libraries="glibc $(newest GLIBC) and GLIBCXX_$(newest GLIBCXX)"
grep -qF "$libraries" "$root/docs/guide/packages.md" || fail "the archive needs $libraries" "docs/guide/packages.md says otherwise."
bash "$here/completion.sh" "$work/deb/usr"
bash "$here/ci.sh" "$unpacked/bin/lockstep"
bash "$here/system_manifest.sh" "$build"

can_make_bare_roots || exit 0
# Root directories with mounts in them are not removed.
trap 'rm -rf --one-file-system "$work"' EXIT
install_packages mmdebstrap
make_bare_root "$work/bare"
# bare NAME: a copy of that Debian, which has no compiler.
bare() {
  cp -a "$work/bare" "$work/$1"
  cp "$here/inside.sh" "$root/tests/bare_root/paths.sh" "$root/README.md" "$work/$1/root/"
}

step "Packages: lockstep.deb in a Debian without a compiler, installed as by the Dockerfile"
bare debian
cp "${program[0]}" "$work/debian/tmp/"
sed -n 's/^RUN //p' "$root/Dockerfile" > "$work/debian/root/install.sh"
grep -q 'apt-get install .*lockstep_' "$work/debian/root/install.sh" || fail "the Dockerfile does not install the package" ""
started=$SECONDS
in_bare_root "$work/debian" 'DEBIAN_FRONTEND=noninteractive bash -ex /root/install.sh > /root/log 2>&1 ||
  { tail -20 /root/log; exit 1; }' ||
  fail "the Dockerfile's RUN lines fail in a Debian 12" "Is there a network? If so, see above."
# What README promises to someone who has only the package.
in_bare_root "$work/debian" 'mkdir /root/empty && cd /root/empty && bash /root/paths.sh /root/README.md /root/mine shader link' ||
  fail "README's commands fail with the installed package" "See above."
echo "installed, a bug found in a shader, and a link: $((SECONDS - started)) s"
in_bare_root "$work/debian" 'bash -e /root/inside.sh vulkan' || fail "the installed package does not work" "See above."
rm -rf --one-file-system "$work/debian"

step "Packages: the archive, unpacked in a Debian without a compiler"
bare archive
place="/opt/my tools (here)"
mkdir -p "$work/archive$place"
tar -xzf "$archive" -C "$work/archive$place"
name=$(basename "$unpacked")
in_bare_root "$work/archive" 'bash -e /root/inside.sh' "$place/$name/bin" ||
  fail "the unpacked archive does not work" "See above."
# The driver finds its libraries, too.
driver=$(cd "$work/unpacked" && find "$name" -name liblockstep_vulkan.so)
in_bare_root "$work/archive" "ldd '$place/$driver' | { ! grep 'not found'; }" ||
  fail "these libraries are missing in the archive" "See src/cmake/portable.cmake."
echo "The packages work."

#!/usr/bin/env bash
# Builds the LAMMPS host from Debian's source package, once, outside the checkout.
#   cmake/host.sh [SUITE [DIR]]
# SUITE  Debian suite whose LAMMPS is taken: bookworm (29 Sep 2021), trixie (4 Feb 2025), forky or sid (what is
#        there now); default: this system's
# DIR    where to build; default ${POLYHEDRA_CACHE:-${XDG_CACHE_HOME:-~/.cache}/polyhedra-lammps}/SUITE
# Leaves DIR/src (sources) and DIR/build/lmp, prints DIR as its last line. About 4 minutes on two cores; done at once
# when DIR/build/lmp is there. The system's own apt sources are read but never changed.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

say() { printf '%s\n' "-- host: $*" >&2; }

# unpack TARBALL DIR: leaves the sources in DIR, whether or not the tarball has a folder of its own around them
unpack() {
  local from=$2.unpacked
  rm -rf "$from" && mkdir -p "$from" && tar -C "$from" -xf "$1"
  [ -e "$from/cmake/CMakeLists.txt" ] || from=$(dirname "$(dirname "$(ls "$from"/*/cmake/CMakeLists.txt)")")
  [ -e "$from/cmake/CMakeLists.txt" ] && rm -rf "$2" && mv "$from" "$2" && rm -rf "$2.unpacked"
}

suite=${1:-$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")}
case "$suite" in
  bookworm|trixie|forky|sid) ;;
  *) say "no LAMMPS source package is known for suite '$suite' (bookworm, trixie, forky and sid are);" \
         "build LAMMPS with the PLUGIN package yourself and pass --lammps SOURCE_DIR --lmp BINARY"; exit 1 ;;
esac
dir=$(realpath -m "${2:-$cache/$suite}")
if [ -x "$dir/build/lmp" ] && [ -e "$dir/complete" ]; then printf '%s\n' "$dir"; exit 0; fi
if [ ! -e "$dir/src/cmake/CMakeLists.txt" ]; then
  say "fetching the LAMMPS source package of Debian $suite"
  tarball=$(debian_source "$suite" lammps "$dir") || { say "fetching LAMMPS failed"; exit 1; }
  unpack "$tarball" "$dir/src" || { say "$tarball holds no LAMMPS"; exit 1; }
fi

say "building LAMMPS ($suite) in $dir/build: a few minutes, made once"
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S "$dir/src/cmake" -B "$dir/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DBUILD_MPI=ON \
  -DBUILD_OMP=OFF -DPKG_PLUGIN=ON -DPKG_BODY=ON -DPKG_GRANULAR=ON -DPKG_ASPHERE=ON -DPKG_RIGID=ON \
  -DPKG_MOLECULE=ON -DPKG_GRAPHICS=ON "${launcher[@]}" > "$dir/configure.log" 2>&1 \
  || { tail -n 30 "$dir/configure.log" >&2; say "configuring LAMMPS failed, see $dir/configure.log"; exit 1; }
( cmake --build "$dir/build" -j "$(env -u OMP_NUM_THREADS nproc)" 2>&1 | tee "$dir/build.log" \
  | grep --line-buffered -oE '^\[ *[0-9]+0%\]' | uniq >&2 ) || true
[ -x "$dir/build/lmp" ] || { tail -n 30 "$dir/build.log" >&2; say "building LAMMPS failed, see $dir/build.log"; exit 1; }
touch "$dir/complete"
printf '%s\n' "$dir"

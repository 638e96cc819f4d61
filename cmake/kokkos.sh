#!/usr/bin/env bash
# Builds Kokkos from Debian's source package of Trilinos, once, outside the checkout: Debian's own binary package
# has no OpenMP.
#   cmake/kokkos.sh openmp|serial
# Leaves a static library in ${POLYHEDRA_CACHE:-${XDG_CACHE_HOME:-~/.cache}/polyhedra-lammps}/kokkos-openmp (or
# kokkos-serial), prints that folder as its last line. Fetches 166 MB, of which 5 MB stay; half a minute on two cores;
# done at once when it is there.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

say() { printf '%s\n' "-- kokkos: $*" >&2; }

space=${1:?openmp or serial}
case "$space" in openmp) openmp=ON ;; serial) openmp=OFF ;; *) say "openmp or serial, not $space"; exit 1 ;; esac
dir=$(realpath -m "$cache/kokkos-$space")
if [ -e "$dir/complete" ]; then printf '%s\n' "$dir"; exit 0; fi
suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
work=$dir/work
rm -rf "$dir"
mkdir -p "$work/src"

say "fetching Kokkos from the Trilinos source package of Debian $suite"
tarball=$(debian_source "$suite" trilinos "$work") || { say "fetching Trilinos failed"; exit 1; }
tar -C "$work/src" --strip-components=3 --wildcards -xf "$tarball" 'Trilinos-*/packages/kokkos/*'

# Kokkos 3.4 takes integers of fixed width for granted, which GCC 13 and later declare only where they are asked for.
say "building Kokkos ($space) in $dir: made once"
{
  cmake -S "$work/src" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$dir" \
    -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_CXX_FLAGS="-include cstdint" \
    -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP="$openmp" &&
    cmake --build "$work/build" -j "$(env -u OMP_NUM_THREADS nproc)" --target install
} > "$dir/build.log" 2>&1 || { tail -n 30 "$dir/build.log" >&2; say "building Kokkos failed, see $dir/build.log"; exit 1; }
rm -rf "$work"
touch "$dir/complete"
printf '%s\n' "$dir"

#!/usr/bin/env bash
# Everything between a fresh Debian 12 or 13 machine and a loadable plugin: packages, host, build.
#   cmake/setup.sh [--lammps SOURCE_DIR --lmp BINARY] [--sizes SMALLBIG|BIGBIG] [--suite SUITE]
#                  [--build DIR] [--kokkos openmp|serial|off] [--plugin-only] [--sanitize] [--print-env]
# Quick when there is nothing to do. --print-env: the last lines of the output set LMP, PLUGIN and BUILD.
# --kokkos: threads by Kokkos, which is fetched and built once (cmake/kokkos.sh). Without the option: that of the host,
# if it has the KOKKOS package; else that in $Kokkos_ROOT; else openmp, and off where that cannot be had.
# --sanitize: with the address and undefined-behaviour sanitizers and without Kokkos, in DIR-sanitize (tests/sanitize).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "-- $*" >&2; }
die() { printf '%s\n' "setup: $*" >&2; exit 1; }

lammps='' lmp='' sizes=SMALLBIG suite='' build='' kokkos='' tests=ON sanitize=OFF print_env=no
while [ $# -gt 0 ]; do
  case "$1" in
    --lammps) lammps=${2:?--lammps needs a folder}; shift 2 ;;
    --lmp) lmp=${2:?--lmp needs a binary}; shift 2 ;;
    --sizes) sizes=${2:?--sizes needs a value}; shift 2 ;;
    --suite) suite=${2:?--suite needs a name}; shift 2 ;;
    --build) build=${2:?--build needs a folder}; shift 2 ;;
    --kokkos) kokkos=${2:?--kokkos needs a value}; shift 2 ;;
    --plugin-only) tests=OFF; shift ;;
    --sanitize) sanitize=ON; shift ;;
    --print-env) print_env=yes; shift ;;
    *) die "unknown option $1" ;;
  esac
done
case "$kokkos" in ''|openmp|serial|off) ;; *) die "--kokkos $kokkos: openmp, serial or off" ;; esac
[ -z "$lammps" ] || [ -n "$lmp" ] || die "--lammps needs --lmp as well: the binary built from these sources"

. "$root/cmake/packages.sh"
install_packages cmake make g++ gcc pkg-config ca-certificates dpkg-dev file xz-utils libopenmpi-dev openmpi-bin \
  liblapack-dev libopenblas-dev libpetsc-real-dev libpng-dev zlib1g-dev libcmocka-dev libcgal-dev python3 python3-numpy \
  python3-matplotlib python3-pytest python3-pytest-xdist || die "packages are missing"
if [ -z "$lammps" ]; then
  host=$("$root/cmake/host.sh" ${suite:+"$suite"} | tail -n 1) || die "there is no LAMMPS host"
  lammps=$host/src lmp=$host/build/lmp
fi
[ -x "$lmp" ] || die "$lmp is not an executable"
build=${build:-$root/build${suite:+-$suite}}
[ "$sanitize" = OFF ] || build=$build-sanitize kokkos=off

# CMake's options for the Kokkos that is to be used
kokkos_options() {
  local where
  where=$(dirname "$(realpath "$lmp")")
  if [ -n "$kokkos" ]; then
    [ "$kokkos" != off ] || { echo "-D POLYHEDRA_KOKKOS=off"; return; }
    where=$("$root/cmake/kokkos.sh" "$kokkos" | tail -n 1) || die "there is no Kokkos"
    echo "-D POLYHEDRA_KOKKOS=on -D Kokkos_ROOT=$where"
  elif "$lmp" -h 2> /dev/null | grep -c '^KOKKOS package' > /dev/null; then
    if [ -e "$where/lib/kokkos/KokkosCore_config.h" ]; then
      echo "-D POLYHEDRA_KOKKOS=host -D LAMMPS_BUILD_DIR=$where"
    elif [ -n "${Kokkos_ROOT:-}" ]; then
      echo "-D POLYHEDRA_KOKKOS=host"
    else
      say "the host has the KOKKOS package: set Kokkos_ROOT to its Kokkos to use threads; without: one thread"
      echo "-D POLYHEDRA_KOKKOS=off"
    fi
  elif [ -n "${Kokkos_ROOT:-}" ]; then
    echo "-D POLYHEDRA_KOKKOS=on"
  elif where=$("$root/cmake/kokkos.sh" openmp | tail -n 1); then
    echo "-D POLYHEDRA_KOKKOS=on -D Kokkos_ROOT=$where"
  else
    say "no Kokkos: one thread"
    echo "-D POLYHEDRA_KOKKOS=off"
  fi
}

configure() {
  local options
  options=$(kokkos_options)
  cmake -S "$root/cmake" -B "$build" -U Kokkos_DIR -U Kokkos_ROOT -U LAMMPS_BUILD_DIR $options \
    -D LAMMPS_SOURCE_DIR="$lammps" -D LAMMPS_SIZES="$sizes" \
    -D POLYHEDRA_TESTS="$tests" -D POLYHEDRA_SANITIZE="$sanitize" -D POLYHEDRA_WERROR=ON > "$build/configure.log" 2>&1 \
    || { tail -n 30 "$build/configure.log" >&2; die "configuring failed, see $build/configure.log"; }
}
mkdir -p "$build"
say "building the plugin for $("$lmp" -h 2> /dev/null | grep -m 1 -o "Simulator.*" | sed "s/^Simulator[ -]*//")"
configure
cmake --build "$build" -j "$(env -u OMP_NUM_THREADS nproc)" > "$build/build.log" 2>&1 \
  || { grep -E 'error|warning' "$build/build.log" | head -n 20 >&2; die "building failed, see $build/build.log"; }
[ "$print_env" = no ] || printf "LMP='%s'\nPLUGIN='%s'\nBUILD='%s'\n" "$lmp" "$build/polyhedraplugin.so" "$build"

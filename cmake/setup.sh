#!/usr/bin/env bash
# Everything between a fresh Debian 12 or 13 machine and a loadable plugin: packages, host, build.
#   cmake/setup.sh [--lammps SOURCE_DIR --lmp BINARY] [--sizes SMALLBIG|BIGBIG] [--suite SUITE]
#                  [--build DIR] [--plugin-only] [--print-env]
# Quick when there is nothing to do. --print-env: the last lines of the output set LMP, PLUGIN and BUILD.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "-- $*" >&2; }
die() { printf '%s\n' "setup: $*" >&2; exit 1; }

lammps='' lmp='' sizes=SMALLBIG suite='' build='' tests=ON print_env=no
while [ $# -gt 0 ]; do
  case "$1" in
    --lammps) lammps=${2:?--lammps needs a folder}; shift 2 ;;
    --lmp) lmp=${2:?--lmp needs a binary}; shift 2 ;;
    --sizes) sizes=${2:?--sizes needs a value}; shift 2 ;;
    --suite) suite=${2:?--suite needs a name}; shift 2 ;;
    --build) build=${2:?--build needs a folder}; shift 2 ;;
    --plugin-only) tests=OFF; shift ;;
    --print-env) print_env=yes; shift ;;
    *) die "unknown option $1" ;;
  esac
done
[ -z "$lammps" ] || [ -n "$lmp" ] || die "--lammps needs --lmp as well: the binary built from these sources"

packages="cmake make g++ gcc pkg-config ca-certificates dpkg-dev xz-utils libopenmpi-dev openmpi-bin liblapack-dev
libopenblas-dev libpetsc-real-dev libpng-dev zlib1g-dev libcmocka-dev python3 python3-numpy python3-matplotlib
python3-pytest"

install_packages() {
  local missing='' p sudo=''
  command -v dpkg-query > /dev/null || die "this is not a Debian system: install by hand: $packages"
  for p in $packages; do
    dpkg-query -W -f='${Status}' "$p" 2> /dev/null | grep -q 'ok installed' || missing="$missing $p"
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || die "not root and no sudo: install by hand:$missing"
    sudo=sudo
  fi
  say "installing by apt-get:$missing"
  $sudo apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing \
    > "${TMPDIR:-/tmp}/polyhedra-apt.log" 2>&1 \
    || { tail -n 20 "${TMPDIR:-/tmp}/polyhedra-apt.log" >&2; die "apt-get install failed"; }
}

install_packages
if [ -z "$lammps" ]; then
  host=$("$root/cmake/host.sh" ${suite:+"$suite"} | tail -n 1) || die "there is no LAMMPS host"
  lammps=$host/src lmp=$host/build/lmp
fi
[ -x "$lmp" ] || die "$lmp is not an executable"
build=${build:-$root/build${suite:+-$suite}}

configure() {
  cmake -S "$root/cmake" -B "$build" -D LAMMPS_SOURCE_DIR="$lammps" -D LAMMPS_SIZES="$sizes" \
    -D POLYHEDRA_TESTS="$tests" -D POLYHEDRA_WERROR=ON > "$build/configure.log" 2>&1 \
    || { tail -n 30 "$build/configure.log" >&2; die "configuring failed, see $build/configure.log"; }
}
mkdir -p "$build"
say "building the plugin for $("$lmp" -h 2> /dev/null | grep -m 1 -o "Simulator.*" | sed "s/^Simulator[ -]*//")"
configure
cmake --build "$build" -j "$(nproc)" > "$build/build.log" 2>&1 \
  || { grep -E 'error|warning' "$build/build.log" | head -n 20 >&2; die "building failed, see $build/build.log"; }
[ "$print_env" = no ] || printf "LMP='%s'\nPLUGIN='%s'\nBUILD='%s'\n" "$lmp" "$build/polyhedraplugin.so" "$build"

#!/usr/bin/env bash
# Builds the LAMMPS host from Debian's source package, once, outside the checkout.
#   cmake/host.sh [SUITE [DIR]]
# SUITE  Debian suite whose LAMMPS is taken: bookworm (29 Sep 2021), trixie (4 Feb 2025); default: this system's
# DIR    where to build; default ${POLYHEDRA_CACHE:-${XDG_CACHE_HOME:-~/.cache}/polyhedra-lammps}/SUITE
# Leaves DIR/src (sources) and DIR/build/lmp, prints DIR as its last line. About 4 minutes on two cores; done at once
# when DIR/build/lmp is there. The system's own apt sources are read but never changed.
set -euo pipefail

say() { printf '%s\n' "-- host: $*" >&2; }

suite=${1:-$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")}
case "$suite" in
  bookworm|trixie) ;;
  *) say "no LAMMPS source package is known for suite '$suite' (bookworm and trixie are);" \
         "build LAMMPS with the PLUGIN package yourself and pass --lammps SOURCE_DIR --lmp BINARY"; exit 1 ;;
esac
cache=${POLYHEDRA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/polyhedra-lammps}
dir=$(realpath -m "${2:-$cache/$suite}")
if [ -x "$dir/build/lmp" ] && [ -e "$dir/complete" ]; then printf '%s\n' "$dir"; exit 0; fi
mkdir -p "$dir"/apt/{lists/partial,cache/archives/partial,sources}

# the mirror and key that the system itself uses
find_mirror() {
  sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources 2> /dev/null || true
  sed -n 's/^deb *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' /etc/apt/sources.list 2> /dev/null || true
}
mirror=$(find_mirror | sed -n 1p)
[ -n "$mirror" ] || { say "cannot find the system's Debian mirror in /etc/apt"; exit 1; }
cat > "$dir/apt/sources/$suite.sources" <<END
Types: deb-src
URIs: $mirror
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
cat > "$dir/apt/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$dir/apt/sources";
Dir::State::Lists "$dir/apt/lists";
Dir::Cache "$dir/apt/cache";
APT::Sandbox::User "root";
END

if [ ! -e "$dir/src/cmake/CMakeLists.txt" ]; then
  say "fetching the LAMMPS source package of Debian $suite"
  cd "$dir/apt"
  APT_CONFIG=$dir/apt/apt.conf apt-get update -qq >&2
  # a mirror may lack the .dsc; apt has verified the tarball's hash all the same
  APT_CONFIG=$dir/apt/apt.conf apt-get source -qq --download-only lammps >&2 || true
  tarball=$(ls lammps_*.orig.tar.* 2>/dev/null | head -n 1)
  [ -n "$tarball" ] || { say "apt-get source lammps brought no source tarball"; exit 1; }
  mkdir -p "$dir/src"
  tar -C "$dir/src" --strip-components=1 -xf "$tarball"
fi

say "building LAMMPS ($suite) in $dir/build: a few minutes, made once"
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S "$dir/src/cmake" -B "$dir/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DBUILD_MPI=ON \
  -DBUILD_OMP=OFF -DPKG_PLUGIN=ON -DPKG_BODY=ON -DPKG_GRANULAR=ON -DPKG_ASPHERE=ON -DPKG_RIGID=ON \
  -DPKG_MOLECULE=ON "${launcher[@]}" > "$dir/configure.log" 2>&1 \
  || { tail -n 30 "$dir/configure.log" >&2; say "configuring LAMMPS failed, see $dir/configure.log"; exit 1; }
( cmake --build "$dir/build" -j "$(nproc)" 2>&1 | tee "$dir/build.log" \
  | grep --line-buffered -oE '^\[ *[0-9]+0%\]' | uniq >&2 ) || true
[ -x "$dir/build/lmp" ] || { tail -n 30 "$dir/build.log" >&2; say "building LAMMPS failed, see $dir/build.log"; exit 1; }
touch "$dir/complete"
printf '%s\n' "$dir"

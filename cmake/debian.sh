# Source packages of Debian; to be sourced.
cache=${POLYHEDRA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/polyhedra-lammps}

# the mirror that the system itself uses
find_mirror() {
  sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources 2> /dev/null || true
  sed -n 's/^deb *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' /etc/apt/sources.list 2> /dev/null || true
}

# debian_source SUITE PACKAGE DIR: fetches the package's original tarball into DIR/apt and prints its path.
# The system's own apt sources are read but never changed.
debian_source() {
  local suite=$1 package=$2 dir=$3 mirror tarball
  mirror=$(find_mirror | sed -n 1p)
  [ -n "$mirror" ] || { echo "cannot find the system's Debian mirror in /etc/apt" >&2; return 1; }
  mkdir -p "$dir"/apt/{lists/partial,cache/archives/partial,sources}
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
  cd "$dir/apt"
  APT_CONFIG=$dir/apt/apt.conf apt-get update -qq >&2 || return 1
  # a mirror may lack the .dsc; apt has verified the tarball's hash all the same
  APT_CONFIG=$dir/apt/apt.conf apt-get source -qq --download-only "$package" >&2 || true
  tarball=$(ls "${package}"_*.orig.tar.* 2> /dev/null | head -n 1)
  [ -n "$tarball" ] || { echo "apt-get source $package brought no source tarball" >&2; return 1; }
  printf '%s\n' "$dir/apt/$tarball"
}

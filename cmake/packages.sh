# Packages of Debian; to be sourced.

# install_packages NAME...: by apt-get, those that are missing; 1 with a message if that is not possible
install_packages() {
  local missing='' p sudo='' log=${TMPDIR:-/tmp}/polyhedra-apt.log
  command -v dpkg-query > /dev/null || { echo "this is not a Debian system: install by hand: $*" >&2; return 1; }
  for p in "$@"; do
    dpkg-query -W -f='${Status}' "$p" 2> /dev/null | grep -q 'ok installed' || missing="$missing $p"
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || { echo "not root and no sudo: install by hand:$missing" >&2; return 1; }
    sudo=sudo
  fi
  echo "-- installing by apt-get:$missing" >&2
  $sudo apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-remove --no-install-recommends $missing > "$log" 2>&1 \
    || { tail -n 20 "$log" >&2; echo "apt-get install failed" >&2; return 1; }
}

# install_vtk: VTK's Python module, unless it is there: that of ParaView's Debian package is as good, and the one would
# take the place of the other
install_vtk() {
  /usr/bin/python3 -c 'import vtkmodules' 2> /dev/null || install_packages python3-vtk9
}

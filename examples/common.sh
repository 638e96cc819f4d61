# Shared by the example scripts; LMP, PLUGIN, BUILD and NP come from examples/run.

# run_lmp INPUT [lmp arguments]: LAMMPS with the plugin, log in post/, its progress on the screen
run_lmp() {
  local input=$1 launch=()
  shift
  [ "$NP" = 1 ] || launch=(mpirun --oversubscribe -np "$NP")
  "${launch[@]}" "$LMP" -var plugin "$PLUGIN" -log "post/log.${input#in.}" "$@" -in "$input" \
    | grep --line-buffered -E '^(ERROR|WARNING|Step| *[0-9]+ +[0-9])' || true
  if ! grep -q '^Total wall time' "post/log.${input#in.}"; then
    echo "LAMMPS stopped early: see $PWD/post/log.${input#in.}" >&2
    tail -n 3 "post/log.${input#in.}" >&2
    return 1
  fi
}

# check_frames SHAPES [checker arguments] DUMP...: the independent intersection check
check_frames() {
  "$BUILD/intersect" --shapes "$@" > post/check.txt && return 0
  cat post/check.txt >&2
  return 1
}

# picture SERIES IMAGES: draws the last frame of a series of fix vtk/polyhedron beside it, if VTK's Python module and a
# display, or Xvfb, are installed; examples/render installs them. Else the picture is the newest of LAMMPS's own IMAGES.
picture() {
  if ! /usr/bin/python3 -c 'import vtkmodules' 2> /dev/null || [ -z "${DISPLAY:-}$(command -v Xvfb)" ]; then
    echo "picture = $(ls -t "$PWD"/$2 | head -n 1)"
    echo "with shadows and force chains: examples/render $PWD/$1"
    return
  fi
  PYTHONPATH=../../src-plugin/python /usr/bin/python3 -m lammps_polyhedra.picture "$PWD/$1" | grep '^picture'
}

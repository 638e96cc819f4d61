# Shared by the example scripts; LMP, PLUGIN, BUILD and NP come from examples/run.
# Their heads tell by lines as the next one which variables of the inputs they set: examples/run refuses these.
# Sets plugin: the one that is built; POLYHEDRA_SETUP="--build FOLDER" takes that of another build folder

# variable_names [lmp arguments]: those that they set
variable_names() {
  local before='' word
  for word in "$@"; do
    if [[ $before =~ ^-v(ar)?$ ]]; then echo "$word"; fi
    before=$word
  done
}

# set_by_example EXAMPLE VARIABLE: to what, if it is one of those
set_by_example() {
  (cd "$(dirname "${BASH_SOURCE[0]}")" && awk -F ': ' -v example="$1" -v variable="$2" '/^# Sets / {
    count = split(substr($1, length("# Sets ") + 1), names, ", ")
    for (k = 1; k <= count; k++)
      if (names[k] == variable)
        print "example " example " sets the variable \047" variable "\047 itself: " substr($0, length($1 FS) + 1) " (examples/" FILENAME ")"
  }' "$1/example" common.sh)
}

# set_once EXAMPLE [lmp arguments]: refuses a variable that is set twice, because LAMMPS keeps the first value without a word
set_once() {
  local example=$1 name own
  shift
  name=$(variable_names "$@" | sort | uniq -d | head -n 1)
  if [ -z "$name" ]; then return; fi
  own=$(set_by_example "$example" "$name")
  echo "${own:-example $example: the variable '$name' is given twice, and LAMMPS would keep the first value}" >&2
  return 1
}

# run_lmp INPUT [lmp arguments]: LAMMPS with the plugin, log in post/, its progress on the screen
run_lmp() {
  local input=$1 launch=()
  shift
  set_once "$(basename "$PWD")" -var plugin "$PLUGIN" "$@" || return
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

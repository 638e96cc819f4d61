"""Variables of the examples: those that a script sets itself are refused, and plots know what a run was given."""

import importlib.util
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))
import common  # noqa: E402
import experiment  # noqa: E402
import summary as summary_of_runs  # noqa: E402

SCRIPTS = sorted(EXAMPLES.glob("*/example"))


def set_by(script: Path) -> list[str]:
    """Variables that a script sets, the plugin apart, which all do; not those that it sets only where they are not given."""
    lines = [line for line in script.read_text().splitlines() if not (line.startswith("#") or " set -- " in line)]
    return sorted({name for line in lines for name in re.findall(r"-var (\w+)", line)} - {"plugin"})


SET = [(script.parent.name, name) for script in SCRIPTS for name in [*set_by(script), "plugin"]]


@pytest.mark.parametrize("example, name", SET)
def test_variables_of_the_script_are_refused(example: str, name: str) -> None:
    """Before anything is set up, and with what the script sets."""
    done = subprocess.run([EXAMPLES / "run", example, "-var", name, "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stdout == ""
    assert re.fullmatch(rf"example {example} sets the variable '{name}' itself: .+ \(examples/\S+\)\n", done.stderr)


def test_words_without_var_are_refused() -> None:
    done = subprocess.run([EXAMPLES / "run", "block-box", "size", "full"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == "'size' is no argument of lmp: a variable of example block-box is given by -var NAME VALUE\n"


@pytest.mark.parametrize("example, script", [("block-box", "in.block-box"), ("tetrapod-collapse", "in.pack")])
def test_sizes_are_small_or_full(example: str, script: str) -> None:
    """A third one would be the small case without a word."""
    done = subprocess.run([os.environ["LMP"], "-in", script, "-log", "none", "-var", "size", "Full"], cwd=EXAMPLES / example, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "ERROR: size is Full, and can be small or full" in done.stdout


def test_heads_name_no_others() -> None:
    assert len(SET) > 60
    for script in SCRIPTS:
        told = {name for names in re.findall(r"^# Sets ([^:]*): ", script.read_text(), re.M) for name in names.split(", ")}
        assert told == set(set_by(script))


@pytest.mark.parametrize("words, said", [
    (["-var", "mu_d", "0.6", "-v", "mu_d", "0.7"], r"example block-slide sets the variable 'mu_d' itself: 0.6 0.8 \(.*\)\n"),
    (["-var", "steps", "1", "-var", "steps", "2"], "example block-slide: the variable 'steps' is given twice, and LAMMPS would keep the first value\n"),
    (["-var", "plugin", "other.so"], r"example block-slide sets the variable 'plugin' itself: .*\n"),
])
def test_run_lmp_takes_a_variable_once(words: list[str], said: str) -> None:
    """The scripts' own arguments count, too; LAMMPS is not started."""
    done = subprocess.run(["bash", "-euc", '. ../common.sh; run_lmp in.block-slide "$@"', "-", *words], cwd=EXAMPLES / "block-slide",
                          env={"PATH": "/usr/bin:/bin", "NP": "1", "LMP": "/bin/false", "PLUGIN": "one.so"}, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == "" and re.fullmatch(said, done.stderr)


# ---- plots ----


def plot(example: str):
    """Its plot.py as a module."""
    spec = importlib.util.spec_from_file_location(f"plot_{example.replace('-', '_')}", EXAMPLES / example / "plot.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("example, kind, name", [
    ("ballast", "Given", "in.shear"), ("breakwater", "Given", "in.tilt"), ("contact-law", "Given", "in.contact-law"),
    ("dzhanibekov", "Given", "in.dzhanibekov"), ("hopper", "Slot", "in.slot"), ("hopper", "Hole", "in.hole"),
    ("repose", "Given", "in.repose"), ("rocking", "Block", "in.rocking"), ("silo", "Given", "in.silo"), ("triaxial", "Given", "in.compress"),
])
def test_plots_ask_for_what_inputs_print(example: str, kind: str, name: str, tmp_path: Path) -> None:
    """Their defaults are those of the input, and what a log tells goes before them."""
    module = plot(example)
    given = getattr(module.rocking if example == "rocking" else module, kind)
    folder = EXAMPLES / example
    text = (folder / name).read_text() + "".join(path.read_text() for path in folder.glob("*.in"))
    for field in fields(given):
        assert type(field.default)(re.search(rf"^variable\s+{field.name}\s+index\s+(\S+)", text, re.M)[1]) == field.default
        assert f'print           "{field.name} = ${{{field.name}}}"' in text
    (tmp_path / "log").write_text("".join(f"variable {f.name} index 7\n{f.name} = 7.5\n" for f in fields(given)))
    assert {str(getattr(common.given(given, tmp_path / "log"), f.name)) for f in fields(given)} == {"7.5"}
    assert common.given(given, tmp_path / "none") == given()


def summary(example: str, *words: str | Path) -> dict[str, float]:
    """What its plot prints."""
    done = subprocess.run(["/usr/bin/python3", EXAMPLES / example / "plot.py", *words], capture_output=True, text=True, check=True)
    return {key: float(value) for key, value in re.findall(r"^(\w+) = ([-+.\de]+)$", done.stdout, re.M)}


def write_triaxial(post: Path, stress: float) -> None:
    """Samples with a lateral stress."""
    names = ["v_strained", "f_s[1]", "f_s[2]", "f_s[3]", "v_void", "v_coordination", "v_fabric"]
    for kind, void in (("loose", 0.7), ("dense", 0.5)):
        strain = np.arange(0.01, 0.5, 0.01)
        same = np.ones(len(strain))
        table = [strain, stress * same, stress * same, 2 * stress * same, void + 0.1 * strain, 4 * same, 0.4 * same]
        np.savetxt(post / f"means-{kind}-1.txt", np.column_stack(table), header=" ".join(names))


def test_triaxial_knows_friction_and_stress(tmp_path: Path) -> None:
    """Of the logs, and of the CSV file that the plot has written."""
    write_triaxial(tmp_path, 2e5)
    (tmp_path / "log.compress-loose-1").write_text('print           "mu = ${mu}"\nmu = 0.3\np = 2e5\nTotal wall time: 0:00:01\n')
    first = summary("triaxial", "--post", tmp_path)
    assert first["friction_angle_of_contacts"] == pytest.approx(16.6992, abs=1e-4)
    assert first["lateral_stress_over_goal"] == pytest.approx(1)
    assert (tmp_path / "triaxial.csv").read_text().startswith("# mu = 0.3\n# p = 200000.0\nkind,seed,")
    assert summary("triaxial", "--post", tmp_path, "--csv", tmp_path / "triaxial.csv") == pytest.approx(first)


def test_files_of_defaults_have_no_remarks(tmp_path: Path) -> None:
    experiment.write_rows(tmp_path / "a.csv", ("x",), [[0.5]], 3, plot("silo").Given())
    assert (tmp_path / "a.csv").read_text() == "x\n0.5\n"


def test_pushes_of_another_block(tmp_path: Path) -> None:
    """The least push of a block half as slender is about twice as large; times go with the root of the size."""
    (tmp_path / "log.tilt-0.2").write_text("width = 0.2\nheight = 1\n")
    rows = {}
    for folder in (tmp_path, tmp_path / "none"):
        done = subprocess.run(["/usr/bin/python3", EXAMPLES / "rocking" / "plot.py", "--pulses", "--post", folder], capture_output=True, text=True, check=True)
        rows[folder] = [float(x) for x in done.stdout.splitlines()[0].split()[1:]]
    wide, slender = rows.values()
    assert wide[0] / slender[0] == pytest.approx(2, rel=0.05)
    assert wide[1] / slender[1] == pytest.approx((1.04 / 1.01) ** 0.25, rel=1e-4)


@pytest.mark.parametrize("motion, tol", [("scheme em", 1e-10), ("scheme euler threads 2", 1e-8), ("scheme em tol 1e-6", 1e-6)])
def test_summary_knows_the_tolerance(motion: str, tol: float, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(f"fix             motion all implicit/polyhedron ${{motion}}\nfix             motion all implicit/polyhedron {motion}\n")
    assert summary_of_runs.tolerance(str(tmp_path / "log")) == tol

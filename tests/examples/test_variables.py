"""Variables of the examples: those that a script sets itself are refused."""

import re
import subprocess
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

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

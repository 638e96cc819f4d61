"""What `cmake --install` and `cpack` leave: a plugin that the host finds, inputs, a package; and what
the host says that a run should cite."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from conftest import environment, show
from scenes import scene

BY_PETSC = scene(motion="scheme newmark solver petsc", run="run 20")
PAGES = Path(__file__).resolve().parents[2] / "doc"


def tool(*command: object, where: Path | None = None) -> str:
    done = subprocess.run([str(c) for c in command], cwd=where, capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(host, tmp_path_factory) -> Path:
    """An empty prefix into which all is installed."""
    folder = tmp_path_factory.mktemp("prefix")
    tool("cmake", "--install", host[2], "--prefix", folder)
    return folder


def run(lmp: str, folder: Path, script: str, plugins: Path | None = None) -> str:
    (folder / "in.test").write_text(script)
    extra = {"LAMMPS_PLUGIN_PATH": str(plugins)} if plugins else {}
    done = subprocess.run([lmp, "-in", "in.test"], cwd=folder, capture_output=True, text=True,
                          env={k: v for k, v in environment().items() if k != "LAMMPS_PLUGIN_PATH"} | extra)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_host_finds_the_plugin(host, version, prefix, tmp_path) -> None:
    """Through LAMMPS_PLUGIN_PATH where the host reads it, by an include everywhere: no "plugin load"."""
    plugins = prefix / "lib" / "lammps" / "plugins"
    assert {p.name for p in plugins.iterdir()} == {"polyhedraplugin.so", "polyhedrapetsc.so"}
    include = f"include {prefix}/share/lammps-polyhedra/in.plugin\n"
    for way, script in {"include": include, "path": ""}.items():
        if way == "path" and version < 20220504:
            continue
        out = run(host[0], tmp_path, script + BY_PETSC, plugins if way == "path" else None)
        steps = re.findall(r"^ +20 ", out, re.MULTILINE)
        assert len(steps) == 1, out
        show(found_by=way)


def test_module_file(prefix) -> None:
    text = (prefix / "share" / "lammps-polyhedra" / "modulefile").read_text()
    assert text.startswith("#%Module")
    assert f"LAMMPS_PLUGIN_PATH {prefix}/lib/lammps/plugins" in text
    assert "@" not in text


def test_installed_example(host, prefix, tmp_path) -> None:
    """An input from the installed folder, where nobody may write."""
    data = prefix / "share" / "lammps-polyhedra"
    out = tool(host[0], "-log", "none", "-in", data / "examples/pile/in.pile", "-var", "fall", 2, "-var", "rest", 2,
               "-var", "plugin", prefix / "lib/lammps/plugins/polyhedraplugin.so",
               "-var", "shapes", data / "examples/shapes", "-var", "post", tmp_path, where=tmp_path)
    assert "Total wall time" in out


def test_package(host, tmp_path) -> None:
    """A Debian package whose dependencies are found, with the plugin and its module below /usr."""
    tool("cpack", "-G", "DEB", "-B", tmp_path, where=host[2])
    package, = tmp_path.glob("lammps-polyhedra_*.deb")
    content = tool("dpkg-deb", "-c", package)
    assert "./usr/lib/lammps/plugins/polyhedraplugin.so" in content
    assert "./usr/lib/lammps/plugins/polyhedrapetsc.so" in content
    assert str(tmp_path) not in content
    tool("dpkg-deb", "-x", package, tmp_path / "root")
    plugin, = (tmp_path / "root").glob("usr/lib/lammps/plugins/polyhedraplugin.so")
    run(host[0], tmp_path, f"plugin load {plugin}\n{BY_PETSC}")
    depends = tool("dpkg-deb", "-f", package, "Depends")
    assert "petsc" in depends and "mpi" in depends
    show(package_bytes=package.stat().st_size, depends=depends.strip())


def test_citations(host, tmp_path, lammps) -> None:
    """Each paper is named once, and only in runs that use it."""
    text = lammps(scene(motion="scheme em", run="run 1\nrun 1")).text
    assert "s40571-021-00415-z" in text and "1805.07437" not in text
    zero = "pair_style zero 0.3\npair_coeff * *"
    text = lammps(scene(pair=zero, law="", motion="fix cd all contact/dynamics", run="run 1")).text
    assert "1805.07437" in text and "s40571-021-00415-z" not in text


def test_page_names_what_is_installed(prefix) -> None:
    page = (PAGES / "install.md").read_text()
    for path in re.findall(r"PREFIX/([\w./-]+)", page):
        assert (prefix / path).exists(), path

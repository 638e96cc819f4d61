"""What the pages say and a machine can check: inputs and examples run, links lead somewhere, numbers
of outputs are the code's, functions that are named exist.

A complete input in a page is fenced with ```lammps. The commands under "Examples" of a style's page
are run in the scene of that page, in SCENES below. LMP, PLUGIN and BUILD as for tests/lammps.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "doc"
SHAPES = ROOT / "examples" / "shapes"


def load(path: Path):
    """A module of another folder of tests, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"pages_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


runs = load(ROOT / "tests" / "lammps" / "conftest.py")
host, lammps, version = runs.host, runs.lammps, runs.version  # fixtures

PAGES = [ROOT / "README.md", *sorted(DOC.rglob("*.md"))]
NAMES = [str(p.relative_to(ROOT)) for p in PAGES]


@lru_cache(maxsize=None)
def read(page: Path) -> str:
    return page.read_text()


def section(page: str, title: str) -> str:
    """Text under a heading of second order."""
    found = re.search(rf"^## {title}[^\n]*\n(.*?)(?=^## |\Z)", read(DOC / page), re.M | re.S)
    assert found, f"{page} has no section {title}"
    return found.group(1)


# ---- links ----


def plain(text: str) -> str:
    """A page without its blocks of code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.M)


def anchors(text: str) -> set[str]:
    """Names that GitHub gives to the headings of a page."""
    names: set[str] = set()
    for title in re.findall(r"^#+ +(.*?) *#*$", plain(text), re.M):
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        n = 0
        while (slug if not n else f"{slug}-{n}") in names:
            n += 1
        names.add(slug if not n else f"{slug}-{n}")
    return names


def links(text: str) -> list[str]:
    """Targets of the links and pictures of a page; links may be broken over two lines."""
    text = re.sub(r"`[^`\n]*`", "", plain(text))
    return [t.strip() for t in re.findall(r"\]\(\s*([^)\s]+)\s*\)", text)]


def broken(page: Path, target: str) -> bool:
    """Whether a relative link of the page leads nowhere."""
    path, _, anchor = target.partition("#")
    goal = (page.parent / path).resolve() if path else page
    if not goal.exists():
        return True
    return bool(anchor) and (goal.suffix != ".md" or anchor not in anchors(read(goal)))


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name):
    page = ROOT / name
    own = [t for t in links(read(page)) if not re.match(r"[a-z]+:", t)]
    wrong = [t for t in own if broken(page, t)]
    print(f"links = {len(own)}")
    assert not wrong


def test_every_page_is_listed():
    """doc/README.md leads to every page of its folder, the list of notes to every note."""
    for folder in (DOC, DOC / "notes"):
        listed = {(folder / t.partition("#")[0]).resolve() for t in links(read(folder / "README.md"))}
        missing = [p.name for p in folder.glob("*.md") if p.name != "README.md" and p not in listed]
        assert not missing


# ---- complete inputs ----


def inputs() -> list[tuple[str, str]]:
    """Name of the page and text of every complete input."""
    found = []
    for page, name in zip(PAGES, NAMES):
        blocks = re.findall(r"^```lammps *\n(.*?)^```", read(page), re.M | re.S)
        found += [(name if len(blocks) == 1 else f"{name}-{n}", b) for n, b in enumerate(blocks)]
    return found


def test_there_are_complete_inputs():
    assert "README.md" in [name for name, _ in inputs()]


@pytest.mark.parametrize("name, text", inputs(), ids=[n for n, _ in inputs()])
def test_complete_input_runs(lammps, name, text):
    """As in the root folder after the set-up: the plugin in build/, shapes in examples/."""
    folder = lammps.dir / "root"
    (folder / "build").mkdir(parents=True)
    (folder / "build" / "polyhedraplugin.so").symlink_to(lammps.plugin)
    (folder / "examples").symlink_to(ROOT / "examples")
    lammps(text, where="root")


# ---- examples of the styles ----

BOX = """units si
atom_style ellipsoid
atom_modify map yes
boundary f f f
region box block -1 1 -1 1 -1.5 2
create_box {types} box"""
CUBES = "fix cubes all polyhedron/shape * box 0.1 0.1 0.1 density 1000"
SET = """timestep 0.001
neighbor 0.05 bin"""
WEIGHT = "fix weight all gravity 9.81 vector 0 0 -1"
SOFT = "pair_style polyhedron\npair_coeff * * normal 1e6 1.5 gap 0.002 barrier 0.1 -1 damping 0.5"
FLOOR = "fix floor all wall/polyhedron plane 0 0 0 0 0 1"
MOTION = "fix motion all implicit/polyhedron"
# two bodies, one on the other and that on the floor, within gbar
STACK = "create_polyhedra 1 at 0 0 0.0515\ncreate_polyhedra 2 at 0 0 0.153"
GROUPS = "group base id 1\ngroup blocks id 2\ngroup rockets id 2"
PLATE = """solid plate
facet normal 0 0 1
outer loop
vertex -0.9 -0.9 -0.5
vertex 0.9 -0.9 -0.5
vertex 0 0.9 -0.5
endloop
endfacet
endsolid plate
"""
RIGID = "pair_style zero 0.4\npair_coeff * *\nneigh_modify delay 0"


def lines(*parts: str, types: int = 2) -> str:
    return "\n".join([BOX.format(types=types), *parts])


STACKED = lines(CUBES, STACK, GROUPS, SET, WEIGHT)
NETWORK = "fix cd all contact/dynamics fixed base friction 0.5 unconverged ignore"

# of every page: the commands before its examples
SCENES = {
    "fix_polyhedron_shape.md": lines(RIGID, "create_atoms 1 single 0 0 0.5", SET, types=3),
    "create_polyhedra.md": lines(CUBES, "region bin block -1 1 -1 1 0 1", types=32),
    "fix_insert_polyhedron.md": lines(CUBES, "region top block -0.8 0.8 -0.8 0.8 0.5 1.5", SOFT, SET, WEIGHT, FLOOR, MOTION),
    "pair_polyhedron.md": lines(CUBES, STACK, SET, WEIGHT, FLOOR, MOTION),
    "fix_wall_polyhedron.md": lines(
        CUBES, "create_polyhedra 1 at 0 0 0.2", SOFT, SET, "variable speed equal 0.0", MOTION
    ),
    "fix_load_polyhedron.md": lines(
        CUBES, STACK, GROUPS, SOFT, SET, "variable ramp equal 0.1*step", "variable twist equal 0.01", MOTION
    ),
    "fix_lock_polyhedron.md": lines(
        CUBES, STACK, GROUPS, "group top id 2", SOFT, SET, WEIGHT, FLOOR, MOTION
    ),
    "fix_implicit_polyhedron.md": "\n".join([STACKED, SOFT, FLOOR]),
    "fix_contact_dynamics.md": "\n".join([STACKED, RIGID, FLOOR]),
    "compute_force_compatible.md": "\n".join([STACKED, RIGID, FLOOR, NETWORK]),
    "compute_polyhedron_contact_local.md": "\n".join([STACKED, SOFT, FLOOR, MOTION]),
    "compute_polyhedron_contact_atom.md": "\n".join([STACKED, SOFT, FLOOR, MOTION]),
    "fix_vtk_polyhedron.md": "\n".join([STACKED, SOFT, FLOOR, MOTION]),
    "fix_image_polyhedron.md": "\n".join(
        [lines(CUBES, STACK, GROUPS, SET, WEIGHT, types=12), SOFT, FLOOR, FLOOR.replace("floor", "lid").replace("0 0 0 0 0 1", "0 0 1 0 0 -1"), MOTION, "variable speed atom vx"]
    ),
}
# instead of these: examples that need another scene
OTHER_SCENES = {
    ("compute_force_compatible.md", " pair "): "\n".join([STACKED, SOFT, FLOOR, MOTION, "run 50"]),
}
FILES: dict[str, str | bytes] = {name: PLATE for name in ("hopper.stl", "drum.stl")}
FILES["ballast.txt"] = "0.0224 0\n0.0315 10\n0.05 70\n0.063 100\n"
FILES |= {p.name: p.read_bytes() for p in SHAPES.glob("*.stl")}
NO_RUN = ("create_polyhedra.md",)  # bodies of all types in one place overlap
RUN_ONCE = ("pair_polyhedron.md",)  # the coefficients of a group belong together


def example_groups(page: str) -> list[list[str]]:
    """Commands under Examples, in the groups that empty lines make, continued lines joined."""
    code = "\n".join(re.findall(r"^(?: {4}.*|)$", section(page, "Examples"), re.M))
    code = re.sub(r"&\s*\n\s*", "", code)
    groups = [[line.strip() for line in g.splitlines() if line.strip()] for g in re.split(r"\n\s*\n", code)]
    return [g for g in groups if g]


STYLE_PAGES = sorted(
    p.name for p in DOC.glob("*.md") if re.search(r"^# .* command$", read(p), re.M)
)


def for_host(command: str, version: int) -> str:
    """Hosts before 21 Nov 2023 do not know `inputs local`."""
    return command if version > 20231120 else command.replace(" inputs local", "")


def in_turn(page: str, commands: list[str], version: int) -> list[str]:
    """The commands, a run of no steps after each; what they define again is removed before."""
    script, defined = [], set()
    for command in commands:
        words = command.split()
        kind, name = words[0], words[1]
        if kind in ("fix", "compute") and name in defined:
            script.append(f"un{kind} {name}")
        if kind in ("fix", "compute"):
            defined.add(name)
        script.append(for_host(command, version))
        if page not in NO_RUN + RUN_ONCE:
            script.append("run 0")
    return [*script, "run 0"] if page in RUN_ONCE else script


def test_every_style_page_has_a_scene():
    assert STYLE_PAGES == sorted(SCENES)


def scripts() -> list[tuple[str, list[str]]]:
    """Pages and groups of commands; an example with a scene of its own is a group of its own."""
    found = []
    for page in STYLE_PAGES:
        for group in example_groups(page):
            alone = [c for c in group if any(p == page and part in f"{c} " for p, part in OTHER_SCENES)]
            rest = [c for c in group if c not in alone]
            found += [(page, g) for g in ([rest] if rest else []) + [[c] for c in alone]]
    return found


def scene_of(page: str, commands: list[str]) -> str:
    for (name, part), scene in OTHER_SCENES.items():
        if name == page and part in f"{commands[0]} ":
            return scene
    return SCENES[page]


@pytest.mark.parametrize("page, commands", scripts(), ids=[f"{p}-{g[0]}" for p, g in scripts()])
def test_examples_are_accepted(lammps, version, page, commands):
    script = [scene_of(page, commands), *in_turn(page, commands, version)]
    lammps("\n".join(script), files=FILES)


# ---- numbers of outputs ----

OUTPUTS = {  # of every page that states one: the command whose outputs they are, and their name
    "fix_implicit_polyhedron.md": (MOTION, "f_motion"),
    "fix_wall_polyhedron.md": (FLOOR, "f_floor"),
    "fix_insert_polyhedron.md": ("fix pour all insert/polyhedron 1 in top count 20 4711", "f_pour"),
    "fix_load_polyhedron.md": ("fix push all load/polyhedron force 1 0 0", "f_push"),
    "fix_lock_polyhedron.md": ("fix plane all lock/polyhedron translation y", "f_plane"),
    "fix_contact_dynamics.md": ("fix cd all contact/dynamics", "f_cd"),
    "compute_force_compatible.md": ("compute f all force/compatible cd empty ignore", "c_f"),
    "compute_polyhedron_contact_local.md": ("compute c all polyhedron/contact/local", "c_c"),
    "compute_polyhedron_contact_atom.md": ("compute a all polyhedron/contact/atom", "c_a"),
}
KINDS = {
    "vector": r"global vector of\s+length\s+(\d+)",
    "local": r"local\s+array\s+with\s+one\s+row\s+per\s+contact\s+and\s+(\d+)\s+columns",
    "atom": r"per-atom\s+array\s+with\s+(\d+)\s+columns",
    "scalar": r"a\s+global\s+(scalar)",
}


def stated() -> list[tuple[str, str, int]]:
    """Page, kind and number of outputs, as the pages have them; a scalar is 1."""
    found = []
    for page in STYLE_PAGES:
        for kind, pattern in KINDS.items():
            for n in re.findall(pattern, read(DOC / page)):
                found.append((page, kind, 1 if n == "scalar" else int(n)))
    return found


def ask(kind: str, name: str, n: int) -> str:
    """Commands that want value n of an output."""
    if kind == "scalar":
        return f"variable v equal {name}\nthermo_style custom step v_v\nrun 0"
    if kind == "vector":
        return f"thermo_style custom step {name}[{n}]\nrun 0"
    if kind == "local":
        return f"dump rows all local 1 rows index {name}[{n}]\nrun 0"
    return f"compute most all reduce max {name}[{n}]\nthermo_style custom step c_most\nrun 0"


def test_every_number_of_outputs_is_known():
    assert {page for page, *_ in stated()} == set(OUTPUTS)


@pytest.mark.parametrize("page, kind, n", stated(), ids=[f"{p}-{k}" for p, k, _ in stated()])
def test_number_of_outputs_is_the_codes(lammps, page, kind, n):
    """Value n is there, and value n + 1 is not."""
    command, name = OUTPUTS[page]
    scene = SCENES[page].replace(f"\n{command}", "")
    lammps(f"{scene}\n{command}\n{ask(kind, name, n)}")
    if kind != "scalar":
        beyond = ask(kind, name, n + 1)
        lammps(f"{scene}\n{command}\n{beyond}", fail=r"out[- ]of[- ]range")


NO_SCALAR = [p for p in OUTPUTS if (p, "scalar", 1) not in stated()]


@pytest.mark.parametrize("page", NO_SCALAR)
def test_there_is_no_scalar_but_the_stated_ones(lammps, page):
    command, name = OUTPUTS[page]
    scene = SCENES[page].replace(f"\n{command}", "")
    lammps(f"{scene}\n{command}\n{ask('scalar', name, 1)}", fail=r"Variable v: ")


@pytest.mark.parametrize("page, kind, n", [s for s in stated() if s[1] in ("vector", "scalar")])
def test_every_output_is_described(page, kind, n):
    """The table of a global vector has each of its values once."""
    prefix = OUTPUTS[page][1][0]
    first = re.findall(r"^\| (`[fc]_ID[^|]*) \|", read(DOC / page), re.M)
    values = [int(k) for cell in first for k in re.findall(rf"`{prefix}_ID\[(\d+)\]`", cell)]
    if kind == "scalar":
        assert f"`{prefix}_ID`" in first
    else:
        assert values == list(range(1, n + 1))


@pytest.mark.parametrize("kind", ["local", "atom"])
def test_every_column_is_described(kind):
    """The tables of compute polyhedron/contact/local and atom have each of their columns once."""
    page = f"compute_polyhedron_contact_{kind}.md"
    cells = re.findall(r"^\| (\d[\d, ]*) \|", section(page, "Output info"), re.M)
    columns = [int(k) for cell in cells for k in cell.split(",")]
    assert (page, kind, len(columns)) in stated()
    assert columns == list(range(1, len(columns) + 1))


# ---- keywords, values, ranges and defaults: the tables of options ----


@dataclass(frozen=True)
class Option:
    """A row of the tables of options, as options_dump prints it."""

    style: str
    list: str  # what the page calls the place of the option: keyword, wall, source ...
    key: str
    values: tuple[str, ...]
    default: str  # "-": the option has to be given
    syntax: tuple[str, ...]  # lines that the page has to have


@pytest.fixture(scope="module")
def options(host) -> list[Option]:
    dump = subprocess.run([host[2] / "options_dump"], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in dump.stdout.splitlines()]
    found: list[Option] = []
    for kind, style, place, key, *rest in rows:
        if kind == "option":
            values = tuple(v for v in rest[0].split("; ") if v)
            found.append(Option(style, place, key, values, rest[3], ()))
        else:
            found[-1] = replace(found[-1], syntax=(*found[-1].syntax, rest[0]))
    return found


def style_of(page: str) -> str:
    return re.search(r"^# (.*) command$", read(DOC / page), re.M).group(1)


def of_page(options: list[Option], page: str) -> list[Option]:
    return [o for o in options if o.style == style_of(page)]


def syntax_lines(page: str) -> list[str]:
    """Lines of the blocks under Syntax; value, values and args are one word."""
    blocks = re.findall(r"^ {4,}.*$", section(page, "Syntax"), re.M)
    return [re.sub(r"^([\w/]+) (?:values|args) =", r"\1 value =", line.strip()) for line in blocks]


def lists(page: str) -> dict[str, list[str]]:
    """What the page lists as "keyword = *a* or *b*", by the first word."""
    text = " ".join(section(page, "Syntax").split())
    found: dict[str, list[str]] = {}
    for name, words in re.findall(r"\b(\w+) = ((?:\*[\w/]+\*(?: or |))+)", text):
        found.setdefault(name, []).extend(re.findall(r"\*([\w/]+)\*", words))
    return found


def faults_of_syntax(page: str, options: list[Option]) -> list[str]:
    """Lines of options that the page lacks, and keywords of the page that are no options."""
    lines = syntax_lines(page)
    faults = []
    for o in options:
        for line in o.syntax:
            line = re.sub(r"^([\w/]+) values =", r"\1 value =", line)
            if o.list == "style" and line.startswith(f"{o.key} value = "):
                continue  # in the line of move
            if not any(have == line or have.startswith(f"{line};") for have in lines):
                faults.append(f"no line: {line}")
    known = {o.key for o in options} | {"move"}
    heads = [re.match(r"([\w/]+) value = ", have) for have in lines]
    return faults + [f"no option: {m.group(1)}" for m in heads if m and m.group(1) not in known]


def faults_of_lists(page: str, options: list[Option]) -> list[str]:
    have, want = lists(page), {}
    for o in options:
        if o.list != "style":
            want.setdefault(o.list, []).append(o.key)
    return [
        f"{name}: the page has {sorted(set(have.get(name, [])))}, the table {sorted(set(want.get(name, [])))}"
        for name in {*have, *want}
        if set(have.get(name, [])) != set(want.get(name, []))
    ]


def faults_of_defaults(page: str, options: list[Option]) -> list[str]:
    text = " ".join(section(page, "Default").replace("*", "").split("---")[0].split())
    faults = []
    with_default = {o.key for o in options if o.default != "-"}
    for o in options:
        stated = re.findall(rf"\b{o.key} = ", text)
        if o.default == "-" and o.key in with_default:
            continue  # two lists have an option of this name
        if o.default == "-":
            faults += [f"{o.key} has no default"] if stated else []
        elif not re.search(rf"\b{o.key} = {re.escape(o.default)}(?=[,;]|\.(?: |$)|$)", text):
            faults.append(f"{o.key} = {o.default} is not in: {text}")
    keys = {o.key for o in options}
    return faults + [f"no option: {k}" for k in re.findall(r"(\w+) = ", text) if k not in keys]


NO_OPTIONS = ("compute_polyhedron_contact_local.md", "compute_polyhedron_contact_atom.md")
OPTION_PAGES = [p for p in STYLE_PAGES if p not in NO_OPTIONS]


def test_every_table_has_a_page(options):
    assert {o.style for o in options} == {style_of(p) for p in OPTION_PAGES}
    assert not any(lists(p) for p in NO_OPTIONS)


@pytest.mark.parametrize("page", OPTION_PAGES)
def test_syntax_is_the_tables(options, page):
    """Keyword, names, number, units and ranges of the values, and their choices."""
    assert not faults_of_syntax(page, of_page(options, page))


@pytest.mark.parametrize("page", OPTION_PAGES)
def test_lists_of_keywords_are_the_tables(options, page):
    assert not faults_of_lists(page, of_page(options, page))


@pytest.mark.parametrize("page", OPTION_PAGES)
def test_defaults_are_the_tables(options, page):
    """They are the code's: the styles set them from the tables, but for those in words."""
    assert not faults_of_defaults(page, of_page(options, page))


def test_motions_and_law_of_walls_are_the_tables(options):
    """What the page of the walls says about move, and about the keywords of the law."""
    text = " ".join(section("fix_wall_polyhedron.md", "Syntax").split())
    moves = [o for o in options if o.list == "style"]
    assert "move args = " + " or ".join(" ".join((o.key, *o.values)) for o in moves) + " vx,vy,vz" in text
    law = [o.key for o in options if o.style == "pair_style polyhedron" and o.key != "contact"]
    named = re.findall(r"((?:\w+, )+\w+) values = as", text)
    assert sorted({w for part in named for w in part.split(", ")}) == sorted(set(law))


def test_words_about_values_are_found(options):
    """The comparison sees each kind of difference."""
    page = "fix_implicit_polyhedron.md"
    rows = of_page(options, page)
    tol = next(o for o in rows if o.key == "tol")
    others = [o for o in rows if o is not tol]
    new = replace(tol, key="tolerance")
    wider = replace(tol, syntax=tuple(s.replace("0 and 1", "0 and 2") for s in tol.syntax))
    assert faults_of_lists(page, others) and faults_of_lists(page, [*rows, new])
    assert faults_of_syntax(page, others) and faults_of_syntax(page, [*others, wider])
    assert faults_of_defaults(page, [*others, replace(tol, default="1e-9")])
    assert faults_of_defaults(page, others) and faults_of_defaults(page, [*others, replace(tol, default="-")])


# ---- names in the source ----

SOURCES = ("src-plugin", "cmake", "tests", "examples")
NAMING_PAGES = tuple(p.name for p in sorted(DOC.glob("*.md")))
ENDS = "c|h|cpp|cu|py|cmake|sh"


@lru_cache(maxsize=None)
def sources() -> tuple[str, ...]:
    """Paths of all files that pages may name, but for this one: those in git's index, of an unpacked archive all."""
    found = []
    if shutil.which("git"):
        found = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True).stdout.split()
    found = found or [str(p.relative_to(ROOT)) for s in SOURCES for p in (ROOT / s).rglob("*") if p.is_file()]
    me = Path(__file__).resolve()
    return tuple(f for f in found if (ROOT / f).exists() and (ROOT / f).resolve() != me)


@lru_cache(maxsize=None)
def words_of_source(*folders: str) -> frozenset[str]:
    """All words of the sources below these folders; of all sources if there are none."""
    own = [ROOT / f for f in sources() if not folders or f.split("/")[0] in folders]
    kept = [p for p in own if p.suffix in {".c", ".h", ".cpp", ".cu", ".py", ".txt", ".cmake", ".sh"} or not p.suffix]
    text = [p.read_text(errors="replace") for p in kept]
    return frozenset(w for t in text for w in re.findall(r"\w+", t))


def unknown_words(names: set[str], words: frozenset[str]) -> list[str]:
    """Names that are no words of the source; those that end with a bar: no start of one."""
    parts = {n for n in names if n.endswith("_")}
    return sorted(names - parts - words) + sorted(p for p in parts if not any(w.startswith(p) for w in words))


def named_identifiers(text: str) -> set[str]:
    """pd_... anywhere on the page."""
    return set(re.findall(r"\bpd_\w+", text))


def named_files(text: str) -> set[str]:
    """Names of source files, with or without folders, and of folders of the sources."""
    text = re.sub(r"\]\([^)]*\)|https?://\S+", "", text)
    files = set(re.findall(rf"(?<![\w./*-])[\w./*-]*[\w*]\.(?:{ENDS})\b", text))
    folders = set(re.findall(rf"(?<![\w./-])(?:{'|'.join(SOURCES)})(?:/[\w*-]+)+/?(?![\w./*-])", text))
    return files | {f.rstrip("/") for f in folders if "NAME" not in f}


def places_of(name: str) -> list[str]:
    """Files that a name can mean: by its path from the root or from src-plugin, or by its end."""
    own = [*sources(), str(Path(__file__).resolve().relative_to(ROOT))]
    pattern = re.escape(name).replace(r"\*", "[^/]*")
    for full in (rf"{pattern}(?:/.*)?", rf"src-plugin/{pattern}(?:/.*)?", rf".*/{pattern}"):
        found = [f for f in own if re.fullmatch(full, f)]
        if found:
            return found
    return []


@pytest.mark.parametrize("page", NAMING_PAGES)
def test_named_identifiers_and_files_exist(page):
    """What a page names of src-plugin and tests is there."""
    text = read(DOC / page)
    words = words_of_source("src-plugin", "tests")
    own = set(re.findall(r"^```\w+ (\S+)$", text, re.M))  # files that the page itself shows
    missing = unknown_words(named_identifiers(text), words) + [n for n in sorted(named_files(text) - own) if not places_of(n)]
    print(f"names = {len(named_identifiers(text)) + len(named_files(text))}")
    assert not missing


def test_named_functions_exist():
    """Functions, structs and classes in `code` of the page for contributors: Class::member, name_with_bar."""
    code = re.findall(r"`([A-Za-z_][\w:]*?)(?:\.\.\.)?`", plain(read(DOC / "CONTRIBUTING.md")))
    names = {n.split("::")[-1] for n in code if re.search(r"_|::", n)} - {"pd_", "contact_dynamics"}
    missing = unknown_words(names, words_of_source())
    assert len(names) > 10 and not missing


def test_named_files_are_found_at_once():
    """A file in the page for contributors has its path, unless no other one has its name."""
    names = named_files(plain(read(DOC / "CONTRIBUTING.md")))
    assert len(names) > 20
    assert not [n for n in sorted(names) if re.search(rf"\.(?:{ENDS})$", n) and "*" not in n and len(places_of(n)) != 1]


def test_names_that_do_not_exist_are_found():
    words = words_of_source("src-plugin", "tests")
    wrong = "see `pd_nosuchlaw`, `core/law.h`, contact/law/nosuch.h, `nosuch.c` and `tests/core` or `src-plugin/nosuch/`"
    assert unknown_words(named_identifiers(wrong), words) == ["pd_nosuchlaw"]
    assert [n for n in sorted(named_files(wrong)) if not places_of(n)] == sorted(named_files(wrong))
    assert len(named_files(wrong)) == 5
    right = "`contact/law/normal.h`, `tests/contact/test_law.c`, gap.h, `tests/contact`, `tables_*.cpp`"
    assert len(named_files(right)) == 5 and all(places_of(n) for n in named_files(right))
    assert len(places_of("friction.h")) > 1  # a name that several files have

"""The site that doc/build makes: without warnings, every link and picture there, a way to every page."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from functools import lru_cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "doc"


class Page(HTMLParser):
    """Targets of links and pictures, names of places, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value and ((tag == "a" and name == "href") or (tag == "img" and name == "src")):
                self.targets.append(unescape(value))
            if value and name == "id":
                self.places.add(value)


@lru_cache(maxsize=None)
def parsed(path: Path) -> Page:
    return Page(path.read_text())


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    if not (importlib.util.find_spec("sphinx") and importlib.util.find_spec("myst_parser")):
        pytest.skip("needs python3-sphinx and python3-myst-parser")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, DOC / "build", folder], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr  # a warning is an error
    return folder / "html"


def broken(page: Path, target: str) -> bool:
    path, _, place = target.partition("#")
    goal = (page.parent / unquote(path)).resolve() if path else page
    if not goal.is_file():
        return True
    return bool(place) and goal.suffix == ".html" and unquote(place) not in parsed(goal).places


def test_every_link_leads_somewhere(site: Path) -> None:
    """Of the pages and of the navigation, places on pages and pictures included."""
    wrong, count = [], 0
    for page in sorted(site.rglob("*.html")):
        own = [t for t in parsed(page).targets if not re.match(r"[a-z]+:|//", t)]
        count += len(own)
        wrong += [f"{page.relative_to(site)}: {t}" for t in own if broken(page, t)]
    print(f"links = {count}")
    assert count > 1000 and not wrong


def test_every_page_is_in_the_navigation(site: Path) -> None:
    """From the first page, and found by the search for its title."""
    reached = {(site / t.partition("#")[0]).resolve() for t in parsed(site / "index.html").targets if not re.match(r"[a-z]+:", t)}
    pages = {p.relative_to(ROOT).with_suffix(".html") for p in [ROOT / "README.md", *DOC.rglob("*.md")]}
    own = {site / p for p in pages if p.parts[0] == "doc" and p.parts[1] != "notes"}
    assert {p.resolve() for p in own} <= reached
    notes = site / "doc" / "notes"
    assert {p.resolve() for p in notes.glob("2*.html")} <= {(notes / t).resolve() for t in parsed(notes / "README.html").targets}
    index = (site / "searchindex.js").read_text()
    assert all(f'"{p.with_suffix("")}"' in index for p in pages)


def test_formulas_and_code_are_there(site: Path) -> None:
    theory = (site / "doc" / "theory.html").read_text()
    assert theory.count('class="math') > 200
    assert "fix           motion all implicit/polyhedron" in (site / "README.html").read_text()

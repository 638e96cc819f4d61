"""Messages of errors: those that pages quote exist, and those that exist are on a page or have a form that doc/errors.md
explains."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "doc"
SOURCE = ROOT / "src-plugin"
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
STOPS = re.compile(r"\b(?:error->(?:all|one|warning)|stop_together|LocalError|refuse|ruled|stop)\s*\(")
# what a message fills in: {} of fmt, %g of printf; on pages words in capitals, single letters, numbers, ...
FILLED = re.compile(r"\{[^}]*\}|%[-+.\d]*l?[a-z]")
OPEN = re.compile(r"\.\.\.|(?<![\w/])(?:[A-Z]+|\d[\d.]*)(?![\w/])|\{[^}]*\}")
NOT_OURS = ("Lost atoms", "Cannot reset timestep with", "move: unknown style")  # of the host, or put together of single words
SHORT = 10  # characters: what is shorter stands in too many messages to be told by it


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def joined_literals(text: str) -> list[str]:
    """Strings of C, those that follow one another as one."""
    groups = re.finditer(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*', text)
    return ["".join(LITERAL.findall(g.group(0))).replace('\\"', '"').replace("\\n", " ") for g in groups]


@lru_cache(maxsize=None)
def all_texts() -> str:
    """Every string of the source, without what is filled in."""
    files = [p for p in sorted(SOURCE.rglob("*")) if p.suffix in (".h", ".c", ".cpp", ".py")]
    texts = [t for p in files for t in joined_literals(without_comments(p.read_text()))]
    return "\n".join(" ".join(FILLED.sub(" ~ ", t).split()) for t in texts)


def arguments(text: str, start: int) -> str:
    """What stands between a bracket that has been opened and its end."""
    depth, at = 1, start
    while depth:
        string = LITERAL.match(text, at)
        if string:
            at = string.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return text[start : at - 1]


@lru_cache(maxsize=None)
def messages() -> list[tuple[str, str]]:
    """File and text of every error of the styles, and of every status of the mechanics."""
    found = []
    for path in sorted((SOURCE / "lammps").rglob("*.[ch]*")):
        text = without_comments(path.read_text())
        for stop in STOPS.finditer(text):
            body = arguments(text, stop.end())
            if "warning" in stop.group(0):
                continue
            texts = joined_literals(re.sub(r"\bword\([^)]*\)", "", body))  # without lists of words
            found += [(str(path.relative_to(SOURCE)), t) for t in texts if len(t.split()) > 2]
    for path in sorted((SOURCE / "base").glob("status.h")):
        found += [(path.name, t) for t in joined_literals(without_comments(path.read_text())) if " " in t]
    return found


def parts(text: str, holes: re.Pattern[str]) -> list[str]:
    """Fixed pieces of a message."""
    return [" ".join(p.split()).strip(" :,;.()") for p in holes.split(text)]


@lru_cache(maxsize=None)
def all_pages() -> str:
    text = " ".join(" ".join(p.read_text().split()) for p in sorted(DOC.glob("*.md")))
    return text.replace("`", "").replace("*", "")


def quoted(page: Path) -> list[str]:
    """Messages in the first column of the tables under Errors; of the page of errors all tables but the host's."""
    text = page.read_text()
    if page.name == "errors.md":
        text = "\n".join(s for s in re.split(r"^(?=## )", text, flags=re.M) if not s.startswith(("# ", "## The plugin does", "## Forms")))
    else:
        found = re.search(r"^## Errors\n(.*?)(?=^## |\Z)", text, re.M | re.S)
        text = found.group(1) if found else ""
    rows = re.findall(r"^\| (?!you see|message|---)(.*?) \|", text, re.M)
    return [q for row in rows for q in re.findall(r"`([^`]+)`", row)]


PAGES = [p for p in sorted(DOC.glob("*.md")) if quoted(p)]


def pieces(part: str) -> int:
    """Of how many strings of the source a fixed piece is put together, by the longest first; 99 if a word is in none."""
    words, count, at = part.split(), 0, 0
    while at < len(words):
        end = next((e for e in range(len(words), at, -1) if " ".join(words[at:e]).strip(" :,;.()") in all_texts()), None)
        if end is None:
            return 99
        at, count = end, count + 1
    return count


@pytest.mark.parametrize("name", [p.name for p in PAGES])
def test_quoted_messages_exist(name):
    """Every fixed piece of a message on a page is a string of the source, or two that the source puts together."""
    missing = [(q, p) for q in quoted(DOC / name) for p in parts(q, OPEN) if len(p) >= SHORT and p not in NOT_OURS and pieces(p) > 2 + (len(p.split()) - 1) // 3]
    print(f"messages = {len(quoted(DOC / name))}")
    assert not missing


def forms() -> list[re.Pattern[str]]:
    """The forms that the page of errors explains, as patterns."""
    section = re.search(r"^## Forms.*?\n(.*?)(?=^## |\Z)", (DOC / "errors.md").read_text(), re.M | re.S)
    assert section
    rows = re.findall(r"^\| (`.*?) \|", section.group(1), re.M)
    words = [q for row in rows for q in re.findall(r"`([^`]+)`", row)]
    return [re.compile(".*".join(map(re.escape, w.split("...")))) for w in words]


def test_every_message_is_explained():
    """It is on a page, or it says itself what to do, in one of the forms of the page of errors."""
    patterns, unknown = forms(), []
    listed = [[p for p in parts(q, OPEN) if len(p) > 3] for page in PAGES for q in quoted(page)]
    listed = [q for q in listed if max(map(len, q), default=0) >= SHORT]
    for where, text in messages():
        longest = max(parts(text, FILLED), key=len)
        plain = " ".join(FILLED.sub("~", text).split())
        if longest in all_pages() or any(p.search(plain) for p in patterns) or any(all(p in plain for p in q) for q in listed):
            continue
        unknown.append(f"{where}: {text}")
    print(f"messages = {len(messages())}, forms = {len(patterns)}")
    assert not unknown, "\n".join(unknown)


def test_messages_are_found():
    """The reader of the source sees strings over several lines, and in calls within calls."""
    texts = [t for _, t in messages()]
    assert len(texts) > 200
    assert any(t.startswith("Fix wall/polyhedron: no plane") for t in texts)
    assert "moments of inertia are not those of a body" in texts
    assert not any(p.search("the flux capacitor is empty") for p in forms())

#!/usr/bin/env python3
"""Fails if the source files of a crate import each other in a circle, if its folders do, or if a file is too long.

A file imports another one if a path in it (a `use` declaration or an inline path that begins with `crate`, `super`
or `self`) names an item that the other file defines. A path through a re-export counts as one to the file that
defines the item; `mod` declarations, re-exports, tests and documentation do not count. A folder is a module at the top
of the crate, with all files below it: it imports another one if one of its files imports one of the other's. Where the
first file of a folder says `May import: a, b.`, it may import these only.

    .ci/imports.py               checks every crate of the workspace
    .ci/imports.py --self-test   checks that circles are found: a direct one, one through a re-export, one of folders
    .ci/imports.py DIRECTORY     checks one directory of sources
"""
import pathlib
import re
import sys
import tempfile

CRATES = ["src", "apps/bite/src", "crates/capi/src", "crates/cli/src", "crates/robot/src", "studies/compare/src", "ffi-tests/src", "crates/fit/src", "crates/json/src", "crates/plan/src", "studies/optim/src", "apps/pong/src", "bindings/python/src", "crates/sim/src", "apps/sketch/src", "apps/studio/bindgen/src", "apps/studio/wasm/src", "apps/terrain/src", "studies/tools/src", "tests/urdf/src"]
LAYERED = ["src", "crates/robot/src"]  # whose folders all say what they may import
MAY_IMPORT = re.compile(r"^//! May import: ((?:[^\n]|\n//! )*?)\.$", re.M)
MOST_LINES = 700
MOST_LINES_OF_A_MENU = 150
ITEM = re.compile(
    r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|unsafe\s+|async\s+|extern\s+\"C\"\s+)*"
    r"(?:struct|enum|trait|type|const|static|fn|union|macro_rules!)\s+(\w+)",
    re.M,
)


def without_comments(text):
    """The text without tests, comments and the contents of strings."""
    text = re.split(r"^#\[cfg\(test\)\]\s*\nmod \w+ \{", text, maxsplit=1, flags=re.M)[0]
    text = re.sub(r"#\[cfg\(doc\)\]\s*\n\s*use [^;]*;", "", text)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\])*"', '""', text)


def expanded(tree):
    """The paths of a use tree: `a::{b, c::d}` is `a::b` and `a::c::d`."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        return [tree.split(" as ")[0].strip()]
    prefix, inner = tree[:brace], tree[brace + 1 : tree.rindex("}")]
    parts, depth, start = [], 0, 0
    for i, c in enumerate(inner + ","):
        depth += (c == "{") - (c == "}")
        if c == "," and depth == 0:
            parts.append(inner[start:i])
            start = i + 1
    return [prefix + path for part in parts if part.strip() for path in expanded(part)]


class Crate:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.modules = {}  # module path (tuple) -> file
        for file in sorted(self.root.rglob("*.rs")):
            parts = file.relative_to(self.root).with_suffix("").parts
            if parts[0] == "bin":
                continue
            if parts[-1] in ("mod", "lib", "main"):
                parts = parts[:-1]
            self.modules[parts] = file
        self.text = {m: without_comments(f.read_text()) for m, f in self.modules.items()}
        self.items = {m: set(ITEM.findall(t)) for m, t in self.text.items()}
        self.reexports = {m: {} for m in self.modules}
        self.uses = {m: set() for m in self.modules}
        for m, t in self.text.items():
            for public, tree in re.findall(r"^\s*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", t, re.M):
                for path in expanded(re.sub(r"\s+", " ", tree)):
                    segments = tuple(s.strip() for s in path.split("::"))
                    if segments[-1] == "self":
                        segments = segments[:-1]
                    if public:
                        self.reexports[m][segments[-1]] = segments
                    else:
                        self.uses[m].add(segments)
            body = re.sub(r"^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+[^;]+;", "", t, flags=re.M)
            for path in re.findall(r"\b(?:crate|super|self)(?:::\w+)+", body):
                self.uses[m].add(tuple(path.split("::")))
            for child in (c for c in self.modules if c[:-1] == m and c):
                for rest in re.findall(rf"(?<![\w:]){child[-1]}((?:::\w+)+)", body):
                    self.uses[m].add(tuple((child[-1] + rest).split("::")))

    def resolve(self, module, segments, depth=0):
        """The module whose file defines what a path names, or None for what is not of this crate."""
        if depth > 8 or not segments:
            return None
        here, rest = module, list(segments)
        if rest[0] == "crate":
            here, rest = (), rest[1:]
        elif rest[0] == "self":
            rest = rest[1:]
        elif rest[0] == "super":
            while rest and rest[0] == "super":
                here, rest = here[:-1], rest[1:]
        elif module + (rest[0],) not in self.modules:
            return None
        while rest and here + (rest[0],) in self.modules:
            here, rest = here + (rest[0],), rest[1:]
        if not rest:
            return here if here in self.modules else None
        name = rest[0]
        if name in self.items.get(here, ()):
            return here
        if name in self.reexports.get(here, {}):
            return self.resolve(here, self.reexports[here][name] + tuple(rest[1:]), depth + 1)
        return here if here in self.modules else None

    def edges(self):
        found = {m: {} for m in self.modules}
        for m, uses in self.uses.items():
            for path in uses:
                target = self.resolve(m, path)
                # A path to a module itself leads to its file, which may be a menu only.
                if target is not None and target != m:
                    found[m].setdefault(target, "::".join(path))
        return found


def circles(edges):
    """Strongly connected components of more than one module (Tarjan)."""
    index, low, on, stack, found, counter = {}, {}, set(), [], [], [0]

    def visit(v):
        work = [(v, iter(edges[v]))]
        index[v] = low[v] = counter[0]
        counter[0] += 1
        stack.append(v)
        on.add(v)
        while work:
            v, rest = work[-1]
            for w in rest:
                if w not in index:
                    index[w] = low[w] = counter[0]
                    counter[0] += 1
                    stack.append(w)
                    on.add(w)
                    work.append((w, iter(edges[w])))
                    break
                if w in on:
                    low[v] = min(low[v], index[w])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[v])
                if low[v] == index[v]:
                    component = []
                    while True:
                        w = stack.pop()
                        on.discard(w)
                        component.append(w)
                        if w == v:
                            break
                    if len(component) > 1:
                        found.append(sorted(component))

    for v in edges:
        if v not in index:
            visit(v)
    return found


def of_folders(edges):
    """The imports between the modules at the top of the crate, each with those of their files that make it."""
    found = {m[:1]: {} for m in edges}
    for m, targets in edges.items():
        for target in targets:
            if target[:1] != m[:1]:
                found[m[:1]].setdefault(target[:1], []).append((m, target))
    return found


def check(root):
    crate = Crate(root)
    edges = crate.edges()
    faults = []
    for component in circles(edges):
        faults.append(f"{root}: a circle of imports between {len(component)} files")
        for m in component:
            for target, path in sorted(edges[m].items()):
                if target in component:
                    faults.append(f"    {crate.modules[m]} -> {crate.modules[target]}   by {path}")
    folders = of_folders(edges)
    for component in circles(folders):
        faults.append(f"{root}: a circle of imports between {len(component)} folders")
        for m in component:
            for files in (files for target, files in sorted(folders[m].items()) if target in component):
                for file, target in sorted(files):
                    faults.append(f"    {crate.modules[file]} -> {crate.modules[target]}   by {edges[file][target]}")
    for folder, targets in folders.items():
        file = crate.modules.get(folder)
        if not folder or file is None or file.name != "mod.rs":
            continue
        said = MAY_IMPORT.search(file.read_text())
        if said is None:
            if str(root) in LAYERED:
                faults.append(f"{file}: no line `//! May import: ...`")
            continue
        may = set(re.findall(r"`(\w+)`", said[1]))
        for target in sorted(t[0] for t in targets if t and t[0] not in may):
            faults.append(f"{file}: the folder may not import {target}: {', '.join(map(str, targets[(target,)][0]))}")
    for file in crate.modules.values():
        lines = file.read_text().count("\n")
        if lines > MOST_LINES:
            faults.append(f"{file}: {lines} lines, more than {MOST_LINES}")
        if str(root) == "src" and file.name == "mod.rs" and lines > MOST_LINES_OF_A_MENU:
            faults.append(f"{file}: {lines} lines, a mod.rs is a menu of at most {MOST_LINES_OF_A_MENU}")
    return faults


def self_test():
    cases = [
        ({"lib.rs": "mod a;\nmod b;\n", "a.rs": "use crate::b::B;\npub struct A;\n", "b.rs": "pub struct B;\n"}, False),
        ({"lib.rs": "mod a;\nmod b;\n", "a.rs": "use crate::b::B;\npub struct A;\n",
          "b.rs": "pub struct B(crate::a::A);\n"}, True),
        ({"lib.rs": "mod room;\nmod b;\n", "room/mod.rs": "mod a;\npub use a::A;\n",
          "room/a.rs": "use crate::b::B;\npub struct A;\n", "b.rs": "use crate::room::A;\npub struct B;\n"}, True),
        ({"lib.rs": "mod room;\nmod b;\n", "room/mod.rs": "mod a;\npub use a::A;\n",
          "room/a.rs": "pub struct A;\n", "b.rs": "use crate::room::{A};\npub struct B;\n"}, False),
        # Four files in a line, two folders in a circle; and the same files in a line of folders.
        ({"lib.rs": "mod x;\nmod y;\n", "x/mod.rs": "pub mod a;\npub mod d;\n", "y/mod.rs": "pub mod b;\npub mod c;\n",
          "x/a.rs": "use crate::y::b::B;\n", "y/b.rs": "pub struct B;\n",
          "y/c.rs": "use crate::x::d::D;\n", "x/d.rs": "pub struct D;\n"}, True),
        ({"lib.rs": "mod x;\nmod y;\n", "x/mod.rs": "pub mod a;\npub mod c;\n", "y/mod.rs": "pub mod b;\npub mod d;\n",
          "x/a.rs": "use crate::y::b::B;\n", "y/b.rs": "pub struct B;\n",
          "x/c.rs": "use crate::y::d::D;\n", "y/d.rs": "pub struct D;\n"}, False),
        # A folder that says what it may import, and imports that; and one that imports something else.
        ({"lib.rs": "mod x;\nmod y;\n", "x/mod.rs": "//! May import: `y`.\nuse crate::y::Y;\n", "y/mod.rs": "pub struct Y;\n"}, False),
        ({"lib.rs": "mod x;\nmod y;\n", "x/mod.rs": "//! May import: `z`.\nuse crate::y::Y;\n", "y/mod.rs": "pub struct Y;\n"}, True),
    ]
    for files, circular in cases:
        with tempfile.TemporaryDirectory() as directory:
            for path, text in files.items():
                file = pathlib.Path(directory, path)
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)
            if bool(check(directory)) != circular:
                sys.exit(f"self-test: {files} should {'' if circular else 'not '}be refused")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    faults = [fault for root in sys.argv[1:] or CRATES for fault in check(root)]
    if faults:
        sys.exit("\n".join(faults))


main()

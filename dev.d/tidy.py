#!/usr/bin/env python3
"""Runs clang-tidy-14 on the given files, a few at a time, and remembers what passed.

usage: tidy.py [--jobs N] [--analyze] BUILD_FOLDER FILE...

--analyze adds the static analyzer to all that is no test: it doubles the time.

A header is checked through the source files beside it (same stem, or its _test.cc). What passed is
remembered by a hash of .clang-tidy and of the preprocessed source, so a second run costs little.
Exit status 1 when a file has a finding.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

ANALYZER = ",".join(f"clang-analyzer-{name}.*" for name in ("core", "cplusplus", "deadcode", "unix"))
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "millrace-lint"


def commands(build):
    """Absolute source path -> its compile command, as a list."""
    with open(build / "compile_commands.json") as text:
        return {entry["file"]: without_precompiled(shlex.split(entry["command"])) for entry in json.load(text)}


def without_precompiled(words):
    """GCC's precompiled headers mean nothing to clang: each file is read as it stands."""
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word == "-include":
            skip = True
        elif word != "-Winvalid-pch":
            kept.append(word)
    return kept


def plain_database(build, known):
    """A folder with the same compile commands, less what only GCC takes."""
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    entries = [{"file": file, "directory": str(build), "arguments": words} for file, words in known.items()]
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return folder


def units(files, known):
    """The translation units that cover the files."""
    found = set()
    for name in files:
        path = pathlib.Path(name).resolve()
        stem = path.stem.removesuffix("_test").removesuffix("_fuzz")
        beside = [path, path.with_name(stem + ".cc"), path.with_name(stem + "_test.cc")]
        found.update(str(p) for p in (beside if path.suffix == ".h" else [path]) if str(p) in known)
    return sorted(found)


def keys_of(command, config, depths):
    """A hash for each depth of all that a finding can depend on; none when the file does not even preprocess."""
    words = [w for w in command if w not in ("-c", "/usr/bin/ccache")]
    at = words.index("-o")
    del words[at:at + 2]
    text = subprocess.run(words + ["-E"], capture_output=True, check=False)
    if text.returncode:
        return []
    return [hashlib.sha256(config + " ".join(depth).encode() + text.stdout).hexdigest() for depth in depths]


def check(unit, command, build, config, analyze):
    plain, deep = [], [] if unit.endswith("_test.cc") else [f"--checks={ANALYZER}"]
    extra = deep if analyze else plain
    keys = keys_of(command, config, [extra, deep])  # What passed the analyzer passes without it.
    if any((CACHE / key).exists() for key in keys):
        return unit, 0, ""
    run = subprocess.run(
        ["clang-tidy-14", "-p", str(build), "--quiet", "--extra-arg=-Wno-unknown-warning-option", *extra,
         unit],
        capture_output=True, text=True, check=False)
    if run.returncode == 0 and keys:
        CACHE.mkdir(parents=True, exist_ok=True)
        (CACHE / keys[0]).touch()
    noise = " warnings generated."
    text = "".join(line + "\n" for line in (run.stdout + run.stderr).splitlines() if noise not in line)
    return unit, run.returncode, text


def main(arguments):
    jobs = os.cpu_count() or 1
    if arguments[:1] == ["--jobs"]:
        jobs, arguments = int(arguments[1]), arguments[2:]
    analyze = arguments[:1] == ["--analyze"]
    if analyze:
        arguments = arguments[1:]
    build, files = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    config = pathlib.Path(".clang-tidy").read_bytes()
    known = commands(build)
    database = plain_database(build, known)
    todo = units(files, known)
    print(f"    {len(todo)} source files", flush=True)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(check, unit, known[unit], database, config, analyze) for unit in todo]
        for done, run in enumerate(concurrent.futures.as_completed(runs), 1):
            unit, status, text = run.result()
            if status:
                bad += 1
                print(f"    {os.path.relpath(unit)}:\n{text}", flush=True)
            elif done % 20 == 0:
                print(f"    {done}/{len(todo)}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The examples of a page: its fenced blocks, and what of each is to be done."""
import dataclasses
import re

KINDS = ("console", "sh", "properties", "json", "text")
MARKER = re.compile(r"<!-- not run: (.+?) -->")
GIVEN = re.compile(r"<!-- given: (\S+) in (/\S+) -->")


@dataclasses.dataclass
class Block:
    line: int  # Of its opening fence.
    kind: str  # One of KINDS, or "given".
    title: str  # What stands behind the kind: the name of a file, "in FILE". Of what is given: its folder in the project,
    text: str  # and where the page has it.
    not_run: str  # The reason in the marker above it; empty: it is run.


@dataclasses.dataclass
class Step:
    command: str
    expected: str  # What it prints, where the page shows that.


class BadPage(Exception):
    """The page has an example that no test can take from it."""


def blocks_of(text):
    """All fenced blocks. An example may not hide elsewhere: indented blocks and unknown kinds are refused."""
    blocks, lines, at = [], text.split("\n"), 0
    while at < len(lines):
        fence = re.match(r"```(\w*) ?(.*)$", lines[at])
        if fence:
            end = lines.index("```", at + 1)
            marker = MARKER.fullmatch(lines[at - 1]) if at > 0 else None
            block = Block(at + 1, fence[1], fence[2], "\n".join(lines[at + 1:end]) + "\n", marker[1] if marker else "")
            if block.kind not in KINDS:
                raise BadPage(f"line {at + 1}: a block is one of {', '.join(KINDS)}")
            if block.kind == "text" and not block.title and not block.not_run:
                raise BadPage(f"line {at + 1}: text that is no example says so: <!-- not run: REASON -->")
            blocks.append(block)
            at = end
        elif given := GIVEN.fullmatch(lines[at]):
            blocks.append(Block(at + 1, "given", given[1], given[2], ""))
        elif lines[at].startswith("    ") and at > 0 and not lines[at - 1].strip():
            raise BadPage(f"line {at + 1}: an indented block; examples are fenced")
        at += 1
    return blocks


def steps_of(block):
    """The commands of a block: with their output in `console`, one behind the other in `sh`.

    A command goes on behind a `\\` at the end of its line, and to the end of a here-document. `^C` is one too.
    """
    console, steps, lines = block.kind == "console", [], block.text.rstrip("\n").split("\n")
    while lines:
        line = lines.pop(0)
        if line == "^C":
            steps.append(Step(line, ""))
        elif line.startswith("$ ") or not console:
            steps.append(Step(whole_command(line[2:] if console else line, lines), ""))
        elif steps:
            steps[-1].expected += line + "\n"
        else:
            raise BadPage(f"line {block.line}: output without a command")
    return [step for step in steps if step.command.split("#")[0].strip()]


def whole_command(first, lines):
    command = first
    while command.endswith("\\") and lines:
        command += "\n" + lines.pop(0)
    here = re.search(r"<<'?(\w+)'?", command)
    while here and lines and not command.endswith("\n" + here[1]):
        command += "\n" + lines.pop(0)
    return command


def matches(expected, printed):
    """Whether the page shows what was printed; `…` stands for anything, on a line of its own for any lines, or none."""
    anything = {"\n": r"(?:\n.*?)?", "…": ".*?"}
    pattern = "".join(anything[piece[0]] if "…" in piece else re.escape(piece)
                      for piece in re.split(r"(\n…+(?=\n|$)|…)", expected.rstrip()) if piece)
    return re.fullmatch(pattern, printed.rstrip(), re.S) is not None


def ports_of(text):
    """The port numbers that the examples use, in order."""
    named = re.findall(r"(?:[pP]orts?\s*[= ]\s*|localhost:|\d\.\d:|--http )((?:\d+[,: ]*)+)", text)
    numbers = {int(number) for group in named for number in re.findall(r"\d+", group)}
    return sorted(number for number in numbers if 1024 <= number <= 65535)


def whole_configuration(text):
    """An extract as a whole file: it gets the lists of its parts, and a part of each kind that it lacks."""
    if re.search(r"(?m)^\w+\.(sources|channels|sinks)\s*=", text):
        return text
    agent = re.search(r"(?m)^(\w+)\.\w+\.\w+\.", text)[1]
    names = {kind: list(dict.fromkeys(re.findall(rf"(?m)^{agent}\.{kind}\.(\w+)\.", text)))
             for kind in ("channels", "sources", "sinks")}
    added = ""
    for kind, spare in (("channels", "memory"), ("sources", "seq"), ("sinks", "null")):
        if not names[kind]:
            names[kind] = ["x"]
            added += f"{agent}.{kind}.x.type = {spare}\n"
        added += f"{agent}.{kind} = {' '.join(names[kind])}\n"
        for name in names[kind]:
            key = {"sources": "channels", "sinks": "channel"}.get(kind)
            if key and not re.search(rf"(?m)^{agent}\.{kind}\.{name}\.{key}\s*=", text):
                added += f"{agent}.{kind}.{name}.{key} = {names['channels'][0]}\n"
    return added + text

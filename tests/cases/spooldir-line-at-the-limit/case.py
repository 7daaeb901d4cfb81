"""Lines of just the longest length leave no empty event behind them, and no wide character is torn."""

LINES = ["a" * 19, "b" * 20, "c" * 21, "d" * 40, "e" * 19 + "\U0001F680tail", "end"]


def run(case):
    case.make("spool", "sink")
    case.start("agent.conf")
    (case.out / "part").write_text("".join(line + "\n" for line in LINES), encoding="utf-8")
    (case.out / "part").rename(case.out / "spool" / "x.log")
    case.ok("the last line comes", case.comes("sink", b"end\n"))
    pieces = case.lines("sink")
    case.ok("no empty event", "" not in pieces)
    case.equal("the text", "".join(pieces), "".join(LINES))
    case.equal("the first pieces", [len(piece) for piece in pieces[:6]], [19, 20, 20, 1, 20, 20])

"""A file edited on another system (CRLF, trailing blanks, wrapped values, escapes) gives clean names and values.

Seen in https://github.com/cloudera/flume/pull/10. Flume 1.11 does the same.
"""


def run(case):
    case.make("sink")
    case.names.update(TAB="\t", BLANKS="   ")
    agent = case.start("agent.conf", change=lambda text: text.replace("\n", "\r\n"))
    case.listens("listens", agent, case.port("IN_PORT"))
    case.send(case.port("IN_PORT"), b"hello\n", replies=1)
    case.wait_lines("sink", 1)
    headers = (case.events("sink") or [({}, "")])[0][0]
    case.equal("unicode escapes become UTF-8, a surrogate pair one character", headers.get("city"), "Besançon 🚀")
    case.equal("the later of two equal keys wins", headers.get("who"), "second")
    case.ok("no stray CR", b"\r" not in case.read("sink"))

"""Text of a header that is put into the path is not looked at again, whatever $ or % is in it; a missing header is
nothing, and no folder is named null. A file is ended when no event came for hdfs.idleTimeout.

Seen in https://github.com/apache/nifi/pull/466. Flume 1.11 does the same.
"""
from harness.process import wait_until

WANTED = {"e1": "pay$1/x", "e2": "50%Y/x", "e3": "x"}


def run(case):
    agent = case.start("agent.conf")
    for body in WANTED:
        case.listens(f"{body} listens", agent, case.port(f"{body.upper()}_PORT"))
        case.send(case.port(f"{body.upper()}_PORT"), body.encode() + b"\n", replies=1)

    def landed():
        return {path.read_text().strip(): str(path.parent.relative_to(case.out / "h"))
                for path in (case.out / "h").rglob("*") if path.is_file() and path.suffix != ".tmp"}
    wait_until(lambda: landed() == WANTED, 20)
    case.equal("folders", landed(), WANTED)

"""A file whose name was used before: neither it nor the finished one is touched, its lines come once a start at most,
and it is told.
"""
from harness.process import wait_until


def run(case):
    case.make("spool", "sink")
    finished = case.out / "spool" / "x.log.COMPLETED"
    finished.write_text("o1\no2\no3\n")
    agent = case.start("agent.conf")
    (case.out / "part").write_text("n1\nn2\n")
    (case.out / "part").rename(case.out / "spool" / "x.log")
    case.ok("the lines come", case.wait_lines("sink", 2))
    case.logs("it is told", agent, r"set aside.*x\.log")
    case.equal("each once", case.lines("sink"), ["n1", "n2"])
    case.ok("it stops in order", agent.stop(20))
    again = case.start("agent.conf")
    case.logs("it is told again", again, r"set aside.*x\.log")
    case.equal("the tracker knows that they came", case.lines("sink"), ["n1", "n2"])
    case.equal("the finished file is as it was", finished.read_text(), "o1\no2\no3\n")
    finished.unlink()
    case.ok("it stops again", again.stop(20))
    case.start("agent.conf")
    case.ok("with the name free it is done", wait_until(lambda: finished.exists(), 15))
    case.equal("and nothing came twice", case.lines("sink"), ["n1", "n2"])

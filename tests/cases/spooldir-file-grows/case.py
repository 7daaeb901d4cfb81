"""A file that is still written to while it is read, as the sink refuses for a while: it is told, and not marked as done."""
import time


def run(case):
    case.make("spool")
    agent = case.start("agent.conf")  # The sink's folder is not there yet: it refuses.
    (case.out / "part").write_text("".join(f"g{number}\n" for number in range(1, 41)))
    (case.out / "part").rename(case.out / "spool" / "g.log")
    case.logs("it is being read", agent, r"reads .*g\.log")
    time.sleep(0.5)  # The channel is full soon; later is as good.
    with open(case.out / "spool" / "g.log", "a") as file:
        file.write("late1\nlate2\n")
    case.make("sink")
    case.ok("the lines before come", case.wait_lines("sink", 40))
    case.logs("it is told", agent, r"g\.log.*changed size")
    case.ok("it is not marked as done", not (case.out / "spool" / "g.log.COMPLETED").exists())
    case.equal("nothing is lost", case.lines("sink"), [f"g{number}" for number in range(1, 41)])

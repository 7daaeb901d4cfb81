"""More files than may be open at once are all read, also what is written later, and the log says how many should be allowed."""
import resource

from harness.process import Program

FILES = 400
LIMIT = 300  # Open files of the agent's process.


def run(case):
    case.make("logs", "sink")
    for number in range(FILES):
        (case.out / f"logs/{number}.log").write_text(f"first {number}\n")
    agent = Program([case.millrace, "agent", "-n", "a1", "-f", case.render("agent.conf")], case.out / "agent.log",
                    preexec=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, LIMIT)))
    case.agents.append(agent)
    case.ok("a line of each file comes", case.wait_lines("sink", FILES))
    for number in range(FILES):
        with (case.out / f"logs/{number}.log").open("a") as log:
            log.write(f"second {number}\n")
    case.ok("and another one", case.wait_lines("sink", 2 * FILES))
    wanted = sorted(f"{which} {number}" for which in ("first", "second") for number in range(FILES))
    case.ok("each once", sorted(case.lines("sink")) == wanted)
    case.logs("the log names the limit", agent, rf"the hard limit of open files is {LIMIT}")
    case.logs("and what it should be", agent, rf"until it is at least {FILES + 256}")

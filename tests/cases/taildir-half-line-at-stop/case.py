"""A line that is half written when the agent stops is neither lost nor comes in two pieces.

Seen in https://github.com/fluent/fluent-bit/issues/11265, https://github.com/vectordotdev/vector/issues/18341.
"""


def run(case):
    case.make("logs", "sink")
    log = case.out / "logs/h.log"
    log.write_text("whole-1\nhalf-")
    agent = case.start("agent.conf")
    case.ok("the whole line comes", case.wait_lines("sink", 1))
    case.ok("the agent ends", agent.stop(20))
    with log.open("a") as more:
        more.write("way-done\nwhole-3\n")
    case.start("agent.conf")
    case.ok("the others come", case.wait_lines("sink", 3))
    case.equal("lines", sorted(case.lines("sink")), ["half-way-done", "whole-1", "whole-3"])

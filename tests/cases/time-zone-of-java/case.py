"""Flume users set the zone of syslog's local times by -Duser.timezone, a flag of the JVM. Java counts GMT+5:30 east of
Greenwich, the variable TZ west. A zone that is not there is refused; Java would go on with GMT.
"""
import time

EAST = 5 * 3600 + 1800


def run(case):
    case.make("sink")
    second = int(time.time()) - 3600
    local = time.strftime("%b %d %H:%M:%S", time.gmtime(second + EAST))
    agent = case.start("agent.conf", "-Duser.timezone=GMT+5:30")
    case.listens("listens", agent, case.port("IN_PORT"))
    case.send(case.port("IN_PORT"), f"<34>{local} host1 app: line\n".encode(), seconds=2)
    case.ok("delivered", case.wait_lines("sink", 2))
    events = {body.strip(): headers for headers, body in case.events("sink")}
    case.equal("epoch second", int(events["app: line"]["timestamp"]) // 1000, second)
    case.ok("a command has it too", "zone of a command +0530" in events)
    case.ok("so has the log", "+05:30 info [agent] a1 is running" in agent.log_text())
    unknown = case.start("agent.conf", "-Duser.timezone=Mars/Olympus")
    case.logs("an unknown one is named", unknown, "-Duser.timezone: there is no time zone Mars/Olympus")
    case.equal("and refused", unknown.process.wait(10), 2)

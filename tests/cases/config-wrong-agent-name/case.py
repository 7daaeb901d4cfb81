"""An agent started with a name that the file does not define says so, and which names are there.

Seen in https://github.com/yrjsg/flume-kafka/issues/14. Flume 1.11 logs one sentence and stays alive doing nothing.
"""


def run(case):
    case.make("sink")
    agent = case.start("agent.conf", name="a9")
    case.logs("says that there is nothing for a9", agent,
              r"no configuration.*a9|a9.*(no configuration|not (found|defined|configured))")
    case.logs("names what is there", agent, r"\ba1\b")
    case.closed("the listener stays shut", case.port("IN_PORT"))
    case.ok("it waits, or ended with a status other than 0", agent.alive() or agent.process.returncode != 0)

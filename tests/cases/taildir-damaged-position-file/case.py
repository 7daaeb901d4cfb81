"""A position file that is empty, cut off or lacks a member keeps nothing from being read, and is named in the log.

Seen in https://github.com/apache/logging-flume/pull/367, https://github.com/apache/logging-flume/pull/313,
https://github.com/fluent/fluentd/issues/947, https://github.com/fluent/fluentd/issues/4103.
Flume 1.11 never starts when an entry lacks its position.
"""

VARIANTS = {"empty": "", "cut": '[{"inode":12,"pos":', "no position": '[{"inode":12,"file":"/x"}]'}


def run(case):
    for name, text in VARIANTS.items():
        case.make("logs", "pos", "sink")
        (case.out / "logs/d.log").write_text("d1\nd2\nd3\n")
        (case.out / "pos/p.json").write_text(text)
        agent = case.start("agent.conf")
        case.ok(f"{name}: three lines come", case.wait_lines("sink", 3))
        case.equal(f"{name}: lines", case.lines("sink"), ["d1", "d2", "d3"])
        if text:
            case.ok(f"{name}: the file is named", "p.json" in agent.log_text())
        case.ok(f"{name}: the agent ends", agent.stop(20))

"""A checkpoint cut in half, or a data file that lost its tail: the channel opens, delivers what is whole, and goes on.

Seen in https://github.com/elastic/logstash/issues/8218, https://github.com/elastic/logstash/issues/16389,
https://github.com/vectordotdev/vector/issues/17644, https://github.com/vectordotdev/vector/issues/26231,
https://github.com/confluentinc/kafka-connect-hdfs/issues/53. Flume 1.11 does the same.
"""
import os

LINES = [f"line-{number:03d}" for number in range(120)]


def files(folder):
    """Non-empty data files, the one written last at the end."""
    found = [p for p in folder.rglob("*") if p.is_file() and p.stat().st_size and "lock" not in p.name]
    return sorted(found, key=lambda p: p.stat().st_mtime_ns)


def cut_checkpoint(case):
    for path in files(case.out / "checkpoint"):
        os.truncate(path, path.stat().st_size // 2)


def cut_tail(case):
    path = files(case.out / "data")[-1]
    os.truncate(path, len(path.read_bytes().rstrip(b"\0")) - 7)


def damage(case, what, cut, least):
    case.make("checkpoint", "data", "sink")
    agent = case.start("nowhere.conf")
    port = case.port("IN_PORT")
    case.listens(f"{what}: listens", agent, port)
    replies = case.send(port, "".join(line + "\n" for line in LINES).encode(), replies=len(LINES))
    case.equal(f"{what}: acknowledged", replies.count(b"OK\n"), len(LINES))
    agent.kill()
    cut(case)
    agent = case.start("delivering.conf")
    case.listens(f"{what}: listens again", agent, port, 60)
    case.wait_lines("sink", least, 60)
    case.send(port, b"fresh\n", replies=1)
    case.ok(f"{what}: takes new events", case.comes("sink", b"fresh\n"))
    got = case.lines("sink")
    case.ok(f"{what}: at least {least} old lines", len(set(got) & set(LINES)) >= least)
    case.equal(f"{what}: none twice", len(got), len(set(got)))
    case.ok(f"{what}: ends when asked to", agent.stop(20))
    return agent


def run(case):
    damage(case, "checkpoint", cut_checkpoint, 120)
    agent = damage(case, "tail", cut_tail, 119)
    case.logs("tail: the log tells that a record was incomplete", agent, r"incomplete|torn|cut|damaged|truncat|checksum")

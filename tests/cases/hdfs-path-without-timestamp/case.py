"""A path with the time in it and events without a timestamp: elsewhere they go to 1970, to a folder named %Y, or are
dropped. They are held, the log names the header, and with the configuration corrected they land.

Seen in https://bookstack.cn/read/FlumeUserGuide-1.9-en/spilt.9.spilt.3.flume.md. Flume 1.11 does the same.
"""
import time


def files(case):
    return [path for path in (case.out / "h").rglob("*") if path.is_file()]


def run(case):
    case.make("chk", "data", "h")
    agent = case.start("bad.conf")
    case.listens("listens", agent, case.port("IN_PORT"))
    case.equal("accepted", case.send(case.port("IN_PORT"), b"t1\nt2\nt3\n", replies=3).count(b"OK"), 3)
    case.logs("the header is named", agent, "header timestamp")
    case.equal("nothing is written", files(case), [])
    case.ok("it stops", agent.stop(20))
    agent = case.start("good.conf")
    place = case.out / "h" / time.strftime("%Y/%m", time.gmtime())

    def landed():
        return sorted(line for path in files(case) for line in path.read_text().splitlines())
    for _ in range(100):
        if len(landed()) >= 3:
            break
        time.sleep(0.1)
    case.ok("it stops", agent.stop(20))
    case.equal("held events", landed(), ["t1", "t2", "t3"])
    case.ok("where they belong", all(path.parent == place for path in files(case)))
    case.equal("no file is in use", [path for path in files(case) if path.name.endswith(".tmp")], [])

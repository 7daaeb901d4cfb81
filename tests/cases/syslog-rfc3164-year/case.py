"""RFC 3164 has no year: a message up to a month ahead or eleven months old is put into the right one.

Seen in https://github.com/apache/logging-flume/pull/275, https://github.com/grafana/alloy/issues/2287,
https://github.com/influxdata/telegraf/pull/4190. Flume 1.11: syslogtcp is right; multiport_syslogtcp puts the 45-,
100- and 300-day-old lines into the year 2001.
"""
import time

DAY = 86400
AGES = {"hour": -3600, "d45": -45 * DAY, "d100": -100 * DAY, "d300": -300 * DAY, "ahead": 20 * DAY}
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def moments():
    """name -> epoch second, never on 29 February, which is in one year only."""
    now = int(time.time())
    for name, delta in AGES.items():
        when = time.gmtime(now + delta)
        leap = (when.tm_mon, when.tm_mday) == (2, 29)
        yield name, now + delta - (DAY if leap else 0)


def line(name, second):
    t = time.gmtime(second)
    clock = f"{MONTHS[t.tm_mon - 1]} {t.tm_mday:2d} {t.tm_hour:02d}:{t.tm_min:02d}:{t.tm_sec:02d}"
    return f"<34>{clock} host1 app: line {name}\n"


def run(case):
    case.make("one", "multi")
    want = dict(moments())
    text = "".join(line(name, second) for name, second in want.items()).encode()
    agent = case.start("agent.conf")
    for folder, port in (("one", case.port("ONE_PORT")), ("multi", case.port("MULTI_PORT"))):
        case.listens(f"{folder}: listens", agent, port)
        case.send(port, text, seconds=2)
        case.wait_lines(folder, len(want))
        got = {body.split()[-1]: int(headers.get("timestamp", 0)) // 1000 for headers, body in case.events(folder)}
        case.equal(f"{folder}: epoch seconds", got, want)

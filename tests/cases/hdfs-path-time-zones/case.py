"""Rounding is done by the clocks of hdfs.timeZone: not in UTC, which puts events of half-hour zones into the wrong hour,
and not to the hour that summer time skips: 02:00 in New York on 2026-03-08 is 03:00.

Seen in https://github.com/confluentinc/kafka-connect-storage-cloud/pull/752. Flume 1.11 does the same.
"""
WANTED = {"kol": {"jan": "2026-01-15/1000", "mar": "2026-03-08/1300"},
          "ktm": {"jan": "2026-01-15/1100", "mar": "2026-03-08/1300"},
          "ny": {"jan": "2026-01-15/0000", "mar": "2026-03-08/0300"}}


def run(case):
    agent = case.start("agent.conf")
    for moment in ("jan", "mar"):
        case.listens(f"{moment} listens", agent, case.port(f"{moment.upper()}_PORT"))
        case.send(case.port(f"{moment.upper()}_PORT"), moment.encode() + b"\n", replies=1)
    case.ok("it stops", agent.stop(20))
    for zone, folders in WANTED.items():
        files = {path.read_text().strip(): str(path.parent.relative_to(case.out / zone))
                 for path in (case.out / zone).rglob("*") if path.is_file()}
        case.equal(zone, files, folders)

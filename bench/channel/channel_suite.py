"""The channel suite: the file channel's speed table, beside Flume, beside the memory channel, and beside the disk."""
import datetime

from bench import Suite
from channel import backlog, disk, grid, latency, rates
from tables import machine, table

PARTS = [rates, disk, grid, latency, backlog]
ROWS = [row for part in PARTS for row in part.ROWS]


def verdicts(results):
    return [verdict for part in PARTS for verdict in part.verdicts(results)]


def missing(results):
    return sum(figures.get("missing", 0) for row in ROWS for figures in results.get(row.name, {}).values()
               if isinstance(figures, dict))


def summary(results):
    rows = [[each.what, each.target, each.figure, "yes" if each.reached else "NO"] for each in verdicts(results)]
    return table(["what", "target", "figure", "reached"], [*rows, ["events missing in any run", "0", missing(results),
                                                                  "yes" if missing(results) == 0 else "NO"]])


def details(results):
    return "\n".join(part.details(results) for part in PARTS)


def page(results):
    measured = table(["row", "measured"], [[row.name, results[row.name]["measured"]] for row in ROWS if row.name in results])
    return f"""# The file channel's speed

{machine()} Written {datetime.date.today()}.

`./dev bench channel` wrote this page (`bench/channel/`); `./dev bench channel ROW` measures one row again. An event counts
when a sink's commit took it, and it can be taken only when `fdatasync` has returned for it. The peers of a row ran in turn;
figures are medians. A missed target stands as NO.

{summary(results)}
{details(results)}
## When

{measured}"""


SUITE = Suite(ROWS, "channel.json", lambda results: summary(results) + "\n" + details(results),
              lambda results: {"channel.md": page(results)},
              lambda results: missing(results) == 0 and all(each.reached for each in verdicts(results)))

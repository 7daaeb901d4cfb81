"""Bytes a second that reach the disk, beside a bare loop of pwrite and fdatasync; and what the disk itself gives."""
import dataclasses
import statistics

from bench import BARE
from flows import EXEC, NULL, Flow, file_channel
from channel.rates import EXEC_NULL
from verdict import at_least
from scenarios import MILLION
from tables import ratios_to, table

WRITE, READ = "bare write", "bare read"


@dataclasses.dataclass(frozen=True)
class Moved:
    bytes: int
    seconds: float
    missing: int = 0

    @property
    def rate(self):
        return self.bytes / self.seconds

    def __str__(self):
        return f"{self.rate / 1e6:,.0f} MB/s, {self.bytes / 1e6:,.0f} MB"


@dataclasses.dataclass(frozen=True)
class DiskRow:
    flow: Flow
    name: str = "disk"
    title: str = "bytes written a second: exec → file, 1 dir → null, and a bare loop of as many bytes"

    def scaled(self, factor):
        return dataclasses.replace(self, flow=self.flow.scaled(factor))

    def measure(self, bench):
        last = Moved(0, 1)

        def one(name):
            nonlocal last
            with bench.rig(self.flow) as rig:
                if name == "millrace":
                    figures = rig.run()
                    last = Moved(figures.written_bytes, figures.seconds, figures.missing)
                    return last
                pieces = -(-last.bytes // 2**20) * 2**20
                return Moved(pieces, float(bench.program("bare_disk", name.split()[1], rig.folder, pieces)))
        return {name: {"rate": statistics.median(each.rate for each in found), "bytes": found[0].bytes, "runs": len(found),
                       "missing": sum(each.missing for each in found)}
                for name, found in bench.in_turn(one, ["millrace", WRITE, READ]).items()}


ROW = DiskRow(Flow("disk", "", source=EXEC, channel=file_channel(), sink=NULL, events={"millrace": 10 * MILLION}))
ROWS = [ROW]


def verdicts(results):
    figures = results.get(ROW.name, {})
    if not {"millrace", WRITE} <= set(figures):
        return []
    ratio = figures["millrace"]["rate"] / figures[WRITE]["rate"]
    bare, _ = ratios_to(BARE, results.get(EXEC_NULL.name, {})) or (None, None)  # With the pipe and both threads.
    return [at_least("bytes written a second, 1 dir, exec source ÷ a bare loop of 1 MiB pwrite + fdatasync", ratio, 0.8,
                     bare=bare)]


def details(results):
    figures = results.get(ROW.name, {})
    rows = [[name, f"{figures[name]['rate'] / 1e6:,.0f} MB/s", f"{figures[name]['bytes'] / 1e6:,.0f} MB", figures[name]["runs"]]
            for name in ("millrace", WRITE, READ) if name in figures]
    return f"""## The disk

{table(["what", "bytes a second", "bytes a run", "runs"], rows)}
Of Millrace: the sectors that the disk wrote while the events were offered: log with padding, acknowledgements, checkpoints,
and what the file system adds. (`write_bytes` of `/proc/PID/io` says 1.4 times as much: with large folios it counts pages that
are not written.) *Bare write* (`bench/bare_disk.cc`) writes as many, 1 MiB with one `pwrite` and one `fdatasync` each, over
three files of 64 MiB whose blocks were written before. *Bare read* reads as many, 1 MiB at a time, that the page cache does
not hold. *Bare write* has no `cat` beside it, and no pipe to read: the bare loop of the row `exec-null` (`bench/bare_log.cc`) has
both, and is the one that decides as well.
"""

"""Seed 000's table: sinks × data dirs on one channel. More sinks must not cost."""
import dataclasses
import statistics

from flows import EXEC, NULL, Flow, file_channel
from verdict import Verdict
from scenarios import MILLION
from tables import table, thousands

SEED = [(1, 1), (2, 1), (4, 2), (8, 4), (8, 6), (8, 8), (8, 10), (10, 4), (12, 4), (12, 6)]  # (sinks, dirs) it has.
# With one sink to compare with, and one dir with the most sinks. Those of as many dirs run one behind the other.
CELLS = sorted([*SEED, (12, 1), (1, 2), (1, 4), (1, 6)], key=lambda cell: (cell[1], cell[0]))
LEAST = 0.95


def cell(sinks, dirs, events):
    """The seed's shape: four exec sources with batches of 100,000, sinks with 500,000, events of 500 bytes. Before the
    clock starts, each dir writes enough to have segments to write over."""
    channel = file_channel(dirs, capacity=2 * MILLION, transactionCapacity=500_000)
    return Flow(f"{sinks}x{dirs}", "", source={**EXEC, "batchSize": 100_000}, sources=4, channel=channel,
                sink={**NULL, "batchSize": 500_000}, sinks=sinks, event_bytes=500,
                events={"millrace": events, "flume": 400_000}, warm_up_events={"millrace": 400_000 * dirs, "flume": 200_000})


@dataclasses.dataclass(frozen=True)
class Grid:
    events: int = 4 * MILLION
    name: str = "sinks-dirs"
    title: str = "four exec sources → file → null sinks, 500-byte events: sinks × data dirs"

    def scaled(self, factor):
        return dataclasses.replace(self, events=max(int(self.events * factor) // 40_000, 1) * 40_000)

    def measure(self, bench):
        found = {}
        for peer, cells, runs in (("millrace", CELLS, bench.runs), ("flume", SEED, 1)):
            if bench.wanted is not None and peer not in bench.wanted:
                continue

            def one(name, peer=peer):
                with bench.rig(cell(*map(int, name.split("x")), self.events), peer) as rig:
                    return rig.run()
            runs_of = bench.in_turn(one, [f"{sinks}x{dirs}" for sinks, dirs in cells], runs)
            found[peer] = {"rates": {name: [each.rate for each in runs] for name, runs in runs_of.items()}, "runs": runs,
                           "missing": sum(each.missing for runs in runs_of.values() for each in runs)}
        return found


ROW = Grid()
ROWS = [ROW]


def of_best_neighbour(rates):
    """cell → its rate ÷ the best one's of as many dirs and fewer sinks. Runs of the same round are compared, and the median
    of that counts: what slows the machine down for a while slows both."""
    def ratio(name, other):
        return statistics.median(ours / theirs for ours, theirs in zip(rates[name], rates[other]))
    found = {}
    for sinks, dirs in CELLS:
        fewer = [f"{s}x{d}" for s, d in CELLS if d == dirs and s < sinks and f"{s}x{d}" in rates]
        if fewer and f"{sinks}x{dirs}" in rates:
            found[f"{sinks}x{dirs}"] = min(ratio(f"{sinks}x{dirs}", other) for other in fewer)
    return found


def verdicts(results):
    found = of_best_neighbour(results.get(ROW.name, {}).get("millrace", {}).get("rates", {}))
    if not found:
        return []
    worst = min(found, key=found.get)
    below = sum(ratio < LEAST for ratio in found.values())
    return [Verdict("sinks × dirs: each cell ÷ its best neighbour of fewer sinks", f"≥ {LEAST}",
                    f"{found[worst]:.2f} at {worst}; {below} of {len(found)} below", below == 0)]


def grid(rates, cells, show):
    dirs = sorted({each for _, each in cells})
    sinks = sorted({each for each, _ in cells})
    return table(["sinks", *(f"{each} dirs" for each in dirs)],
                 [[s, *(show(f"{s}x{d}") if f"{s}x{d}" in rates else "" for d in dirs)] for s in sinks])


def details(results):
    text = f"""## Sinks × data dirs

{ROW.title}. Exec batches of 100,000, sink batches of 500,000, as in seed 000, whose sinks wrote to HDFS: null sinks hide
nothing of what the channel costs. All dirs are on one disk. In brackets: the cell ÷ the best one of fewer sinks and as many
dirs, run against run of the same round.
"""
    for peer, cells in (("millrace", CELLS), ("flume", SEED)):
        figures = results.get(ROW.name, {}).get(peer)
        if figures:
            ratios = of_best_neighbour(figures["rates"]) if peer == "millrace" else {}

            def show(name, rates=figures["rates"], ratios=ratios):
                return thousands(statistics.median(rates[name])) + (f" ({ratios[name]:.2f})" if name in ratios else "")
            spread = statistics.median(max(runs) / min(runs) for runs in figures["rates"].values())
            text += (f"\n{peer}, events/s, median of {figures['runs']} (best ÷ worst run of a cell: {spread:.2f}):\n\n"
                     + grid(figures["rates"], cells, show))
    return text

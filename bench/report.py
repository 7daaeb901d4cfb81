"""From figures to what people read: a line, tables, the page, the plot."""
import dataclasses
import datetime
import pathlib
import platform
import subprocess

import svg
from scenarios import BARE, ENOUGH_OF_BARE, SCENARIOS

TOP = pathlib.Path(__file__).resolve().parents[1]
BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


def thousands(number):
    return f"{number / 1e6:.2f} M" if number >= 1e6 else f"{number / 1e3:.0f} k"


def ratios_to(peer, figures):
    """(events/s, events per CPU-second), ours ÷ the peer's; None where one was not measured."""
    if peer not in figures or "millrace" not in figures:
        return None
    return tuple(figures["millrace"][field] / figures[peer][field] for field in ("rate", "per_cpu_second"))


def ratios(scenario, figures):
    return ratios_to(scenario.other, figures)


@dataclasses.dataclass(frozen=True)
class Comparison:
    """A ratio to the peer, what is asked of it, and the same figure's ratio to the bare loop where there is one."""
    ratio: float
    target: float | None
    of_bare: float | None

    @property
    def reached(self):
        return self.target is None or self.ratio >= self.target or (self.of_bare or 0) >= ENOUGH_OF_BARE

    def __str__(self):
        if self.target is None:
            return f"{self.ratio:.1f}"
        bare = "" if self.of_bare is None else f"; {self.of_bare:.2f} of a bare loop, {ENOUGH_OF_BARE} counts"
        return f"{self.ratio:.1f} (≥ {self.target}{bare}{'' if self.reached else ': MISSED'})"


def comparisons(scenario, figures):
    """Of events/s and events per CPU-second; empty where the peer was not measured."""
    return [Comparison(*each) for each in zip(ratios(scenario, figures) or (), scenario.targets or (None, None),
                                              ratios_to(BARE, figures) or (None, None))]


def line_of(scenario, figures):
    found = ratios(scenario, figures)
    if found is None:
        return ""
    return f"  ours ÷ {scenario.other}: {found[0]:.1f} events/s, {found[1]:.1f} events per CPU-second"


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head, rows):
    return "\n".join([row(head), row("---" for _ in head)] + [row(cells) for cells in rows]) + "\n"


def figures_of(figures):
    return [thousands(figures["rate"]), thousands(figures["per_cpu_second"]), f"{figures['peak_bytes'] / 2**20:.0f} MiB",
            f"{figures['listening_ms']:.0f} ms", figures["missing"]]


def absolute(results):
    head = ["scenario, 300-byte events", "peer", "events/s", "events per CPU-second", "peak RSS", "listening after", "missing"]
    rows = [[BY_NAME[name].title, peer, *figures_of(results[name][peer])]
            for name in BY_NAME if name in results for peer in BY_NAME[name].peers if peer in results[name]]
    return table(head, rows)


def relative(results):
    rows = []
    for name, scenario in BY_NAME.items():
        found = comparisons(scenario, results.get(name, {}))
        if found:
            rows.append([scenario.title, scenario.other, *found])
    return table(["scenario", "peer", "events/s, ours ÷ theirs", "events per CPU-second, ours ÷ theirs"], rows)


def nanoseconds(ours, name):
    return 1e9 / ours[name]["per_cpu_second"]


def limits(results):
    """(what, figure, reached) of the absolute targets that were measured."""
    found = []
    ours = {name: figures["millrace"] for name, figures in results.items() if "millrace" in figures}
    if {"connections-1", "connections-1000"} <= set(ours):
        one, many = (nanoseconds(ours, name) for name in ("connections-1", "connections-1000"))
        found.append(("CPU an event at 1,000 connections ÷ at one (≤ 1.5)", f"{many:.0f} ns ÷ {one:.0f} ns = {many / one:.2f}",
                      many / one <= 1.5))
        missing = ours["connections-1000"]["missing"]
        found.append(("Events lost at 1,000 connections (0)", missing, missing == 0))
    if "paced" in ours:
        cost = nanoseconds(ours, "paced")
        found.append(("CPU an event at 200,000 events/s (≤ 500 ns)", f"{cost:.0f} ns", cost <= 500))
    if ours:
        largest = max(figures["peak_bytes"] for figures in ours.values()) / 2**20
        found.append(("Peak RSS of any scenario (≤ 64 MiB; the budget may come on top)", f"{largest:.0f} MiB", largest <= 64))
        slowest = max(figures["listening_ms"] for figures in ours.values())
        found.append(("Listening after start (≤ 50 ms)", f"{slowest:.0f} ms", slowest <= 50))
    return found


def tables(results):
    rows = [[what, figure, "yes" if reached else "NO"] for what, figure, reached in limits(results)]
    return "\n".join([relative(results), table(["limit", "figure", "reached"], rows), absolute(results)])


def all_reached(results):
    found = [each for name, scenario in BY_NAME.items() for each in comparisons(scenario, results.get(name, {}))]
    lost = any(figures.get("missing") for peers in results.values() for figures in peers.values())
    return not lost and all(each.reached for each in found) and all(reached for _, _, reached in limits(results))


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    cores = subprocess.run(["nproc"], capture_output=True, text=True, check=True).stdout.strip()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=TOP, capture_output=True, text=True, check=False)
    return (f"{datetime.date.today()}, commit {commit.stdout.strip()}: {cores} cores of {model}, Linux {platform.release()}; "
            "senders, receivers and peers share them.")


def page(results):
    return f"""# Benchmarks

{machine()}

`./dev bench` wrote this page. Millrace and its peer ran in turn on the same configuration file and the same input
(`bench/conf`, `bench/scenarios.py`); each figure is the median of its runs. CPU is that of the peer's own process; children
such as `cat` do not count. Flume 1.11 has its default JVM options and a heap of 2 GiB, and is warm when the clock starts.

![Ratios](ratios.svg)

{tables(results)}"""


def plot(results):
    bars = [(BY_NAME[name].title, BY_NAME[name].other, *ratios(BY_NAME[name], results[name]))
            for name in BY_NAME if name in results and ratios(BY_NAME[name], results[name])]
    return svg.ratio_bars("Millrace ÷ peer, higher is better (logarithmic)", bars)

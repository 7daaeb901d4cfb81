"""The agent suite: whole agents over the memory channel, and one over the file channel, beside Flume and rsyslog."""
import datetime

import svg
from bench import Suite
from scenarios import SCENARIOS
from tables import FIGURES, comparisons, figures_of, lost_any, machine, ratios_to, table

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


def absolute(results):
    rows = [[scenario.title, peer, *figures_of(results[scenario.name][peer])]
            for scenario in SCENARIOS for peer in scenario.peers if peer in results.get(scenario.name, {})]
    return table(["scenario, 300-byte events", "peer", *FIGURES], rows)


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
    return (not lost_any(results, SCENARIOS) and all(each.reached for each in found)
            and all(reached for _, _, reached in limits(results)))


def page(results):
    commits = sorted({figures["measured"] for figures in results.values() if "measured" in figures})
    return f"""# Benchmarks

{machine()} Written {datetime.date.today()}; measured {' and '.join(commits)}.

`./dev bench` wrote this page. Millrace and its peer ran in turn on the same configuration file and the same input
(`bench/conf`, `bench/scenarios.py`); each figure is the median of its runs. CPU is that of the peer's own process; children
such as `cat` do not count. Flume 1.11 has its default JVM options and a heap of 2 GiB, and is warm when the clock starts.
The file channel has [a page of its own](channel.md).

![Ratios](ratios.svg)

{tables(results)}"""


def plot(results):
    bars = [(scenario.title, scenario.other, *ratios_to(scenario.other, results[name])) for name, scenario in BY_NAME.items()
            if ratios_to(scenario.other, results.get(name, {}))]
    return svg.ratio_bars("Millrace ÷ peer, higher is better (logarithmic)", bars)


SUITE = Suite(SCENARIOS, "results.json", tables,
              lambda results: {"results.md": page(results), "ratios.svg": plot(results)}, all_reached)

"""From figures to what people read: a line, tables, the page, the plot."""
import datetime
import pathlib
import platform
import subprocess

import svg
from scenarios import SCENARIOS

TOP = pathlib.Path(__file__).resolve().parents[1]
BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


def thousands(number):
    return f"{number / 1e6:.2f} M" if number >= 1e6 else f"{number / 1e3:.0f} k"


def other(scenario):
    return next((name for name in scenario.peers if name != "millrace"), None)


def ratios(scenario, figures):
    """(events/s, events per CPU-second), ours ÷ the other's; None where one was not measured."""
    peer = other(scenario)
    if peer is None or peer not in figures or "millrace" not in figures:
        return None
    return tuple(figures["millrace"][field] / figures[peer][field] for field in ("rate", "per_cpu_second"))


def line_of(scenario, figures):
    found = ratios(scenario, figures)
    if found is None:
        return ""
    return f"  ours ÷ {other(scenario)}: {found[0]:.1f} events/s, {found[1]:.1f} events per CPU-second"


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


def compared(ratio, target):
    return f"{ratio:.1f}" if target is None else f"{ratio:.1f} (≥ {target}{'' if ratio >= target else ': MISSED'})"


def relative(results):
    rows = []
    for name, scenario in BY_NAME.items():
        found = ratios(scenario, results.get(name, {}))
        if found:
            cells = [compared(ratio, target) for ratio, target in zip(found, scenario.targets)]
            rows.append([scenario.title, other(scenario), *cells])
    return table(["scenario", "peer", "events/s, ours ÷ theirs", "events per CPU-second, ours ÷ theirs"], rows)


def nanoseconds(results, name):
    return 1e9 / results[name]["millrace"]["per_cpu_second"]


def limits(results):
    """(what, figure, reached) of the absolute targets that were measured."""
    found = []
    if {"connections-1", "connections-1000"} <= set(results):
        one, many = (nanoseconds(results, name) for name in ("connections-1", "connections-1000"))
        found.append(("CPU an event at 1,000 connections ÷ at one (≤ 1.5)", f"{many:.0f} ns ÷ {one:.0f} ns = {many / one:.2f}",
                      many / one <= 1.5))
        missing = results["connections-1000"]["millrace"]["missing"]
        found.append(("Events lost at 1,000 connections (0)", missing, missing == 0))
    if "paced" in results:
        cost = nanoseconds(results, "paced")
        found.append(("CPU an event at 200,000 events/s (≤ 500 ns)", f"{cost:.0f} ns", cost <= 500))
    ours = [figures["millrace"] for figures in results.values() if "millrace" in figures]
    if ours:
        slowest = max(figures["listening_ms"] for figures in ours)
        found.append(("Listening after start (≤ 50 ms)", f"{slowest:.0f} ms", slowest <= 50))
    return found


def tables(results):
    rows = [[what, figure, "yes" if reached else "NO"] for what, figure, reached in limits(results)]
    return "\n".join([relative(results), table(["limit", "figure", "reached"], rows), absolute(results)])


def all_reached(results):
    pairs = [pair for name, scenario in BY_NAME.items()
             for pair in zip(ratios(scenario, results.get(name, {})) or (), scenario.targets)]
    lost = any(figures.get("missing") for peers in results.values() for figures in peers.values())
    return not lost and all(t is None or r >= t for r, t in pairs) and all(reached for _, _, reached in limits(results))


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
    bars = [(BY_NAME[name].title, other(BY_NAME[name]), *ratios(BY_NAME[name], results[name]))
            for name in BY_NAME if name in results and ratios(BY_NAME[name], results[name])]
    return svg.ratio_bars("Millrace ÷ peer, higher is better (logarithmic)", bars)

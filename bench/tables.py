"""From figures to Markdown, and ratios between peers held against what is asked of them."""
import dataclasses
import pathlib
import platform
import subprocess

from bench import BARE, TOP

ENOUGH_OF_BARE = 0.8  # A target counts as reached there, too: nothing is left to gain.


def thousands(number):
    return f"{number / 1e6:.2f} M" if number >= 1e6 else f"{number / 1e3:.0f} k"


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head, rows):
    return "\n".join([row(head), row("---" for _ in head)] + [row(cells) for cells in rows]) + "\n"


FIGURES = ["events/s", "events per CPU-second", "peak RSS", "listening after", "missing"]


def figures_of(figures):
    return [thousands(figures["rate"]), thousands(figures["per_cpu_second"]), f"{figures['peak_bytes'] / 2**20:.0f} MiB",
            f"{figures['listening_ms']:.0f} ms", figures["missing"]]


def ratios_to(peer, figures):
    """(events/s, events per CPU-second), ours ÷ the peer's; None where one was not measured."""
    if peer not in figures or "millrace" not in figures:
        return None
    return tuple(figures["millrace"][field] / figures[peer][field] for field in ("rate", "per_cpu_second"))


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
        bare = "" if self.of_bare is None else f"; {of_bare(self.of_bare)}"
        return f"{self.ratio:.1f} (≥ {self.target}{bare}{'' if self.reached else ': MISSED'})"


def of_bare(ratio):
    return f"{ratio:.2f} of a bare loop, {ENOUGH_OF_BARE} counts"


def comparisons(scenario, figures):
    """Of events/s and events per CPU-second; empty where the peer was not measured."""
    return [Comparison(*each) for each in zip(ratios_to(scenario.other, figures) or (), scenario.targets or (None, None),
                                              ratios_to(BARE, figures) or (None, None))]


def lost_any(results, scenarios):
    return any(results.get(scenario.name, {}).get(peer, {}).get("missing") for scenario in scenarios for peer in scenario.peers)


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    cores = subprocess.run(["nproc"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{cores} cores of {model}, Linux {platform.release()}; senders, receivers and peers share them."

"""A figure held against what is asked of it."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Verdict:
    what: str
    target: str
    figure: str
    reached: bool


def at_least(what, figure, target, unit=""):
    """`figure` and `target` are numbers of the same unit, as "M events/s"."""
    return Verdict(what, f"≥ {target}{unit}", f"{figure:.2f}{unit}", figure >= target)


def at_most(what, figure, target, unit=""):
    return Verdict(what, f"≤ {target}{unit}", f"{figure:.2f}{unit}", figure <= target)

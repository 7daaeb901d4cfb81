"""A figure held against what is asked of it."""
import dataclasses

from tables import ENOUGH_OF_BARE, of_bare


@dataclasses.dataclass(frozen=True)
class Verdict:
    what: str
    target: str
    figure: str
    reached: bool


def at_least(what, figure, target, unit="", bare=None):
    """`figure` and `target` are numbers of the same unit, as "M events/s"; `bare`: ours ÷ a bare loop over the same calls,
    which decides where the target is missed."""
    if figure >= target or bare is None:
        return Verdict(what, f"≥ {target}{unit}", f"{figure:.2f}{unit}", figure >= target)
    return Verdict(what, f"≥ {target}{unit}", f"{figure:.2f}{unit} (but {of_bare(bare)})", bare >= ENOUGH_OF_BARE)


def at_most(what, figure, target, unit=""):
    return Verdict(what, f"≤ {target}{unit}", f"{figure:.2f}{unit}", figure <= target)

"""A suite made of parts: modules with ROWS, verdicts(results) and details(results)."""
import datetime

from bench import Suite
from tables import machine, table


class Parts:
    def __init__(self, parts):
        self.parts = parts
        self.rows = [row for part in parts for row in part.ROWS]

    def verdicts(self, results):
        return [verdict for part in self.parts for verdict in part.verdicts(results)]

    def missing(self, results):
        return sum(figures.get("missing", 0) for row in self.rows for figures in results.get(row.name, {}).values()
                   if isinstance(figures, dict))

    def reached(self, results):
        return self.missing(results) == 0 and all(each.reached for each in self.verdicts(results))

    def summary(self, results):
        missing = self.missing(results)
        rows = [[each.what, each.target, each.figure, "yes" if each.reached else "NO"] for each in self.verdicts(results)]
        return table(["what", "target", "figure", "reached"],
                     [*rows, ["events missing in any run", "0", missing, "NO" if missing else "yes"]])

    def details(self, results):
        return "\n".join(filter(None, (part.details(results) for part in self.parts)))

    def measured(self, results):
        return table(["row", "measured"], [[row.name, results[row.name]["measured"]] for row in self.rows if row.name in results])


def suite_of(parts, name, title, how):
    """A Suite whose record and page are named so. `how`: what the page says of the way it was measured."""
    suite = Parts(parts)

    def page(results):
        return f"""# {title}

{machine()} Written {datetime.date.today()}.

{how} The peers of a row ran in turn; figures are medians. A missed target stands as NO.

{suite.summary(results)}
{suite.details(results)}
## When

{suite.measured(results)}"""
    return Suite(suite.rows, f"{name}.json", lambda results: suite.summary(results) + "\n" + suite.details(results),
                 lambda results: {f"{name}.md": page(results)}, suite.reached)

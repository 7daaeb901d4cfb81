#!/usr/bin/env python3
"""Shows that a missed target is said, and that what the suites configure is right. usage: bench_test.py MILLRACE"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import run  # noqa: F401  (the suites import each other in its order)
from bench import BARE
from channel import backlog, channel_suite, disk, grid, latency, rates
from sources import datagrams, idle
from sources import rates as source_rates
from tables import Comparison

MILLRACE = sys.argv.pop(1) if len(sys.argv) > 1 else None


class TargetsTest(unittest.TestCase):
    def test_a_ratio_below_its_target_is_missed_unless_the_bare_loop_is_near(self):
        self.assertFalse(Comparison(59.9, 60, None).reached)
        self.assertFalse(Comparison(59.9, 60, 0.79).reached)
        self.assertTrue(Comparison(59.9, 60, 0.8).reached)
        self.assertIn("MISSED", str(Comparison(59.9, 60, 0.79)))

    def test_a_cell_is_held_against_the_best_of_fewer_sinks(self):
        ratios = grid.of_best_neighbour({"1x1": [100.0], "2x1": [80.0], "12x1": [90.0], "4x2": [50.0]})
        self.assertEqual(ratios, {"2x1": 0.8, "12x1": 0.9})
        slow_minute = grid.of_best_neighbour({"1x1": [100.0, 50.0, 100.0], "2x1": [100.0, 50.0, 90.0]})
        self.assertEqual(slow_minute, {"2x1": 1.0})
        verdict, = grid.verdicts({"sinks-dirs": {"millrace": {"rates": {"1x1": [100.0], "2x1": [94.0]}}}})
        self.assertFalse(verdict.reached)

    def test_the_disk_is_held_against_as_many_bytes(self):
        verdict, = disk.verdicts({"disk": {"millrace": {"rate": 79.0}, disk.WRITE: {"rate": 100.0}}})
        self.assertEqual((verdict.figure, verdict.reached), ("0.79", False))

    def test_the_bare_loop_decides_where_a_target_is_missed(self):
        results = {"disk": {"millrace": {"rate": 79.0}, disk.WRITE: {"rate": 100.0}}}
        for ours, reached in ((7.9, False), (8.0, True)):
            results["exec-null"] = {peer: {"rate": rate, "per_cpu_second": 1} for peer, rate in (("millrace", ours), (BARE, 10))}
            verdict, = disk.verdicts(results)
            self.assertEqual(verdict.reached, reached, verdict.figure)

    def test_lost_events_are_a_miss(self):
        results = {"syslogtcp-null": {"millrace": {"rate": 3e6, "missing": 1}, "measured": "today"}}
        self.assertFalse(channel_suite.SUITE.reached(results))

    def test_percentiles_are_of_the_sorted_times(self):
        found = latency.percentiles([1000 * n for n in range(100, 0, -1)])
        self.assertEqual(found, {"p50": 51.0, "p99": 100.0})


@unittest.skipUnless(MILLRACE, "needs the program")
class ConfigurationsTest(unittest.TestCase):
    def test_they_have_no_fault(self):
        flows = [*rates.ROWS, disk.ROW.flow, latency.FLOW, backlog.FLOW, *(grid.cell(*each, 40_000) for each in grid.CELLS),
                 *source_rates.ROWS, datagrams.FLOW, idle.FILES, idle.CONNECTIONS]
        with tempfile.TemporaryDirectory() as folder:
            conf = pathlib.Path(folder) / "conf"
            for each in ("in", "out"):
                (pathlib.Path(folder) / each).mkdir()
            for flow in flows:
                text = flow.template("millrace")
                for name, value in {"PORT": 20000, "DIR": folder, "COMMAND": "cat /dev/null"}.items():
                    text = text.replace(f"@{name}@", str(value))
                conf.write_text(text)
                done = subprocess.run([MILLRACE, "check", conf], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr + text)


if __name__ == "__main__":
    unittest.main()

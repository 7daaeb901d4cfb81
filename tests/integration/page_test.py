#!/usr/bin/env python3
"""Shows that an example cannot hide from its test, nor say something else than what is printed."""
import pathlib
import unittest

from page import BadPage, blocks_of, matches, ports_of, steps_of, whole_configuration


class BlocksTest(unittest.TestCase):
    def test_examples_hide_nowhere(self):
        for text in ("Run\n\n    millrace check x\n", "```bash\nls\n```\n", "```\nls\n```\n", "```text\nls\n```\n"):
            with self.assertRaises(BadPage, msg=text):
                blocks_of(text)

    def test_a_marker_gives_its_reason(self):
        blocks = blocks_of("<!-- not run: needs a JDK -->\n```sh\nkeytool\n```\n\n```sh\nls\n```\n")
        self.assertEqual([block.not_run for block in blocks], ["needs a JDK", ""])

    def test_names_stand_behind_the_kind(self):
        block, = blocks_of("Text\n```properties a.conf\na = b\n```\n")
        self.assertEqual((block.line, block.kind, block.title, block.text), (2, "properties", "a.conf", "a = b\n"))

    def test_what_a_page_starts_from_may_be_given(self):
        block, = blocks_of("<!-- given: tests/golden/x in /var/lib/x -->\n")
        self.assertEqual((block.kind, block.title, block.text), ("given", "tests/golden/x", "/var/lib/x"))

    def test_pages_that_no_test_runs_have_no_examples(self):
        for page in (pathlib.Path(__file__).resolve().parents[2] / "docs/decisions").glob("*.md"):
            self.assertEqual(blocks_of(page.read_text()), [], page)


class StepsTest(unittest.TestCase):
    def steps(self, text):
        return [(step.command, step.expected) for step in steps_of(blocks_of(text)[0])]

    def test_console_has_commands_and_what_they_print(self):
        self.assertEqual(self.steps("```console\n$ a \\\n  b\none\ntwo\n$ c\n^C\nend\n```\n"),
                         [("a \\\n  b", "one\ntwo\n"), ("c", ""), ("^C", "end\n")])

    def test_sh_has_commands_alone(self):
        self.assertEqual(self.steps("```sh\n# first\na\n\ncat <<'X'\nb\nX\nc\n```\n"),
                         [("a", ""), ("cat <<'X'\nb\nX", ""), ("c", "")])

    def test_output_needs_a_command(self):
        with self.assertRaises(BadPage):
            self.steps("```console\nout\n```\n")


class MatchesTest(unittest.TestCase):
    def test_an_ellipsis_stands_for_anything(self):
        self.assertTrue(matches("a\nb … d\n…\nz\n", "a\nb c d\nx\ny\nz\n"))
        self.assertTrue(matches("a…", "a"))
        self.assertTrue(matches("a\n…\nz", "a\nz\n"))
        self.assertTrue(matches("…a\n……", "0\na\n"))
        self.assertFalse(matches("a\n…", "ab"))

    def test_all_else_has_to_be_there(self):
        for printed in ("a", "a\nb\nc", "a\nc", "A\nb"):
            self.assertFalse(matches("a\nb\n", printed), printed)
        self.assertFalse(matches("a.c", "abc"))


class PortsTest(unittest.TestCase):
    def test_are_found_where_they_are_named(self):
        text = "a.port = 4141\n--ports 10001,10002 --count 20000\ncurl 127.0.0.1:8080/x\nmonitoring.port=41414\nport 70000"
        self.assertEqual(ports_of(text), [4141, 8080, 10001, 10002, 41414])


class ConfigurationTest(unittest.TestCase):
    def test_an_extract_gets_what_it_lacks(self):
        text = whole_configuration("a1.channels.c1.type = file\n")
        for line in ("a1.channels = c1", "a1.sources.x.channels = c1", "a1.sinks.x.channel = c1", "a1.sinks = x"):
            self.assertIn(line + "\n", text)

    def test_a_whole_one_stays_as_it_is(self):
        self.assertEqual(whole_configuration("a1.sources = r1\n"), "a1.sources = r1\n")


if __name__ == "__main__":
    unittest.main()

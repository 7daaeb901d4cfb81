#!/usr/bin/env python3
"""Is what `millrace schema` prints a JSON schema that takes what a component takes, and nothing else?

usage: schema.py [--millrace PROGRAM]
With the package python3-jsonschema the schema is held against its own dialect too; without, the little that we use
of the dialect is read here.
"""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.driver import options_of  # noqa: E402  (the path has to be set first)

try:
    import jsonschema
except ImportError:
    jsonschema = None

KINDS = {"string": str, "integer": int, "number": (int, float), "boolean": bool}


def takes(schema, value):
    """Whether `value` is valid by `schema`."""
    if jsonschema:
        return jsonschema.Draft202012Validator(schema).is_valid(value)
    if schema.get("type") == "object":
        return all(key in value for key in schema.get("required", [])) and \
            all(any(takes(rule, each) for rule in rules_of(schema, key)) for key, each in value.items())
    right_kind = "type" not in schema or isinstance(value, KINDS[schema["type"]]) and \
        isinstance(value, bool) == (schema["type"] == "boolean")
    return right_kind and schema.get("minimum", value) <= value <= schema.get("maximum", value) and \
        value in schema.get("enum", [value])


def rules_of(schema, key):
    if key in schema["properties"]:
        return [schema["properties"][key]]
    return [rule for pattern, rule in schema.get("patternProperties", {}).items() if re.search(pattern, key)]


def a_value(schema):
    """One that the property takes."""
    for source in ("default", "minimum"):
        if source in schema:
            return schema[source]
    for source in ("examples", "enum"):
        if source in schema:
            return schema[source][0]
    return {"string": "x", "integer": 1, "number": 0.5, "boolean": True}[schema.get("type", "string")]


def faults_of(name, schema):
    if jsonschema:
        jsonschema.Draft202012Validator.check_schema(schema)
    whole = {key: a_value(rule) for key, rule in schema["properties"].items()}
    if not takes(schema, whole):
        yield f"{name}: refuses {whole}"
    if takes(schema, {**whole, "no-such-key": 1}):
        yield f"{name}: takes a key that is not there"
    for key in schema.get("required", []):
        if takes(schema, {other: value for other, value in whole.items() if other != key}):
            yield f"{name}: does without {key}"
    for key, rule in schema["properties"].items():
        for example in rule.get("examples", []) + [rule[mark] for mark in ("default", "minimum", "maximum") if mark in rule]:
            if not takes(rule, example):
                yield f"{name} {key}: refuses its own {example!r}"
        if "type" in rule and takes(schema, {**whole, key: []}):
            yield f"{name} {key}: takes a list"
        if "maximum" in rule and takes(schema, {**whole, key: rule["maximum"] + 1}):
            yield f"{name} {key}: takes more than its maximum"
    for pattern in schema.get("patternProperties", {}):
        key = re.sub(r"\[(.)\]", r"\1", pattern[1:-2]) + "x"
        if not takes(schema, {**whole, key: a_value(schema["patternProperties"][pattern])}):
            yield f"{name}: refuses {key}"


def main():
    options = options_of(__doc__).parse_args()
    text = subprocess.run([options.millrace, "schema"], capture_output=True, text=True, check=True).stdout
    document = json.loads(text)
    if jsonschema:
        jsonschema.Draft202012Validator.check_schema(document)
    found = [fault for name, schema in document["$defs"].items() for fault in faults_of(name, schema)]
    print("\n".join(found) or f"{len(document['$defs'])} components; "
          f"{'held against the dialect' if jsonschema else 'python3-jsonschema is not there'}.")
    return 1 if found or not document["$defs"] else 0


if __name__ == "__main__":
    sys.exit(main())

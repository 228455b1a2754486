#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads exports as the platforms do, and holds them to the platforms' rules and to the points that
each student has. Written from the platforms' own pages (docs/platforms/), not from the exporters.

    check_exports.py FORMAT FILE_OR_FOLDER EXPECTED.json

EXPECTED: {"max": points, "students": {name: {"points": number or null, "file": name, "infra": bool,
"ids": {...}}}}. Prints what is wrong, a line each; exit code 1 if anything is."""
import base64
import csv
import json
import os
import re
import sys
import xml.etree.ElementTree

problems = []


def require(condition, text):
    if not condition:
        problems.append(text)
    return condition


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


def near(a, b):
    return abs(a - b) <= 0.0051


def keys(where, value, allowed, required=()):
    if not require(isinstance(value, dict), f"{where}: is no object"):
        return
    for key in value:
        require(key in allowed, f"{where}: key {key!r} is not known there")
    for key in required:
        require(key in value, f"{where}: {key} is missing")


def clean(where, text):
    """No control characters but line breaks and tabs, nothing that turns the text around."""
    require(isinstance(text, str), f"{where}: is no text")
    bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ufffe\uffff]", str(text))
    require(not bad, f"{where}: holds {bad and bad.group()!r}")


def texts(where, value):
    if isinstance(value, str):
        clean(where, value)
    elif isinstance(value, list):
        for one in value:
            texts(where, one)
    elif isinstance(value, dict):
        for key, one in value.items():
            clean(where, key)
            texts(where + "." + key, one)


def load(where, text):
    def constant(name):
        require(False, f"{where}: {name} is no JSON")
    try:
        value = json.loads(text, parse_constant=constant)
    except ValueError as e:
        require(False, f"{where}: {e}")
        return None
    texts(where, value)
    return value


def each_file(folder, name, expected, not_graded_has_file):
    """The texts by student; all are there who must be, and nobody else."""
    found = {}
    wanted = {s["file"]: n for n, s in expected["students"].items()
              if s["points"] is not None or not_graded_has_file}
    there = sorted(e for e in os.listdir(folder) if not e.startswith("."))
    require(there == sorted(wanted), f"folders {there}, expected {sorted(wanted)}")
    for entry in there:
        with open(os.path.join(folder, entry, name), encoding="utf-8", newline="") as f:
            found[wanted.get(entry, entry)] = f.read()
    return found


FORMATS = ["text", "html", "simple_format", "md", "ansi"]
VISIBILITIES = ["hidden", "after_due_date", "after_published", "visible"]


def gradescope(path, expected):
    for name, text in each_file(path, "results.json", expected, False).items():
        r = load(name, text)
        keys(name, r, ["score", "execution_time", "output", "output_format", "test_output_format",
                       "test_name_format", "visibility", "stdout_visibility", "extra_data", "tests",
                       "leaderboard"])
        for key in ("output_format", "test_output_format", "test_name_format"):
            require(r.get(key, "text") in FORMATS, f"{name}: {key}")
            require(r.get(key) != "html", f"{name}: {key} is html")
        for key in ("visibility", "stdout_visibility"):
            require(r.get(key, "visible") in VISIBILITIES, f"{name}: {key}")
        tests = r.get("tests", [])
        for t in tests:
            keys(name, t, ["score", "max_score", "status", "name", "name_format", "number", "output",
                           "output_format", "tags", "visibility", "extra_data"])
            require(t.get("status") in ("passed", "failed"), f"{name}: status")
            require(t.get("visibility", "visible") in VISIBILITIES, f"{name}: visibility")
            require(t.get("output_format") == "text" and t.get("name_format") == "text",
                    f"{name}: formats of a test")
            for key in ("score", "max_score"):
                require(key not in t or number(t[key]), f"{name}: {key}")
        require(number(r.get("score")), f"{name}: no score")
        require(near(r["score"], expected["students"][name]["points"]), f"{name}: {r['score']}")
        if not expected["students"][name].get("late"):
            total = sum(t.get("score", 0) for t in tests)
            require(near(total, r["score"]), f"{name}: tests sum to {total}")
        require(near(sum(t.get("max_score", 0) for t in tests), expected["max"]), f"{name}: maximum")


def autolab(path, expected):
    for name, text in each_file(path, "output.txt", expected, False).items():
        lines = text.rstrip().split("\n")
        for line in lines[-2:]:  # as Autolab does before it parses
            require(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', line) == line,
                    f"{name}: Autolab changes {line!r}")
        last = load(name, lines[-1])
        keys(name, last, ["scores", "scoreboard", "stages", "_presentation"], ["scores"])
        require(list(last["scores"]) == ["hw02"], f"{name}: problems {last['scores']}")
        require(near(last["scores"]["hw02"], expected["students"][name]["points"]), f"{name}: score")
        require(all(number(v) for v in last.get("scoreboard", [])), f"{name}: scoreboard")
        stages = load(name, lines[-2])
        require(stages["_presentation"] == "semantic", f"{name}: presentation")
        for stage in stages["stages"]:
            for key, value in stages[stage].items():
                keys(f"{name}: {key}", value, ["passed", "hint"], ["passed"])
                require(isinstance(value["passed"], bool), f"{name}: {key}")


def prairielearn(path, expected):
    for name, text in each_file(path, "results.json", expected, True).items():
        require(len(text) <= 1000000, f"{name}: {len(text)} bytes")
        r = load(name, text)
        keys(name, r, ["gradable", "score", "message", "output", "format_errors", "images", "tests"],
             ["gradable"])
        student = expected["students"][name]
        require(isinstance(r["gradable"], bool), f"{name}: gradable")
        if student["points"] is None:
            require(r["gradable"] is False and "score" not in r, f"{name}: is graded")
            continue
        require(r["gradable"] and number(r["score"]) and 0 <= r["score"] <= 1, f"{name}: score")
        require(abs(r["score"] - student["points"] / expected["max"]) < 1e-4, f"{name}: {r['score']}")
        require((r["score"] == 1) == (student["points"] == expected["max"]), f"{name}: all or not")
        require((r["score"] == 0) == (student["points"] == 0), f"{name}: nothing or not")
        for t in r["tests"]:
            keys(name, t, ["name", "description", "points", "max_points", "message", "output",
                           "images"], ["name", "points", "max_points"])
            require(number(t["points"]) and number(t["max_points"]), f"{name}: points")
            require(0 <= t["points"] <= t["max_points"], f"{name}: points")


def classroom50(path, expected):
    top = ["schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit",
           "release", "review", "datetime", "graded_at", "score", "max-score", "tests",
           "submitted_by"]
    instant = re.compile(r"\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ")

    def whole(value):
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    for name, text in each_file(path, "result.json", expected, False).items():
        r = load(name, text)
        keys(name, r, top, [k for k in top if k not in ("graded_at", "submitted_by")])
        require(r["schema"] == "classroom50/result/v1", f"{name}: schema")
        require(r["assignment_type"] in ("individual", "group"), f"{name}: type")
        for key in ("classroom", "assignment", "owner", "commit", "release", "review"):
            require(isinstance(r[key], str) and r[key], f"{name}: {key}")
        require(r["submission"].startswith("submit/"), f"{name}: submission")
        for key in ("datetime", "graded_at"):
            require(key not in r or instant.fullmatch(r[key]), f"{name}: {key}")
        require(whole(r["score"]) and whole(r["max-score"]), f"{name}: no whole numbers")
        require(r["score"] <= r["max-score"], f"{name}: score")
        for t in r["tests"]:
            for key in ("test-name", "passed", "score", "max-score"):
                require(key in t, f"{name}: {key} of a test")
            require(isinstance(t["test-name"], str) and t["test-name"], f"{name}: name")
            require(isinstance(t["passed"], bool), f"{name}: passed")
            require(whole(t["score"]) and whole(t["max-score"]), f"{name}: no whole numbers")
            require(t["score"] <= t["max-score"], f"{name}: score of a test")
            if t["max-score"] > 0:
                require(t["passed"] == (t["score"] == t["max-score"]), f"{name}: passed, or all")
        points = expected["students"][name]["points"]
        scale = r["max-score"] / expected["max"]
        if not expected["students"][name].get("late"):
            require(r["score"] == sum(t["score"] for t in r["tests"]), f"{name}: sum")
        require(r["max-score"] == sum(t["max-score"] for t in r["tests"]), f"{name}: sum of maxima")
        require(abs(r["score"] / scale - points) <= 0.05, f"{name}: {r['score']} for {points}")
        require((r["score"] == r["max-score"]) == (points == expected["max"]), f"{name}: rounded up")
        require((r["score"] == 0) == (points == 0), f"{name}: rounded down")


def github(path, expected):
    for name, text in each_file(path, "result.txt", expected, True).items():
        require(re.fullmatch(r"[A-Za-z0-9+/]+={0,2}\n?", text), f"{name}: no base64")
        r = load(name, base64.b64decode(text).decode("utf-8"))
        keys(name, r, ["version", "status", "max_score", "tests"], ["version", "status", "tests"])
        require(r["version"] == 1 and r["status"] in ("pass", "fail", "error"), f"{name}: status")
        total = 0
        for t in r["tests"]:
            keys(name, t, ["name", "status", "score", "message", "test_code", "filename", "line_no",
                           "duration"], ["name", "status", "score"])
            require(number(t["score"]), f"{name}: NaN in the notice")
            require(t["status"] in ("pass", "fail", "error"), f"{name}: status of a test")
            total += t["score"]
            for key in ("name", "message", "test_code"):
                require(not re.search(r"(^|\n)\s*::|##\[", t[key]), f"{name}: a command in {key}")
        points = expected["students"][name]["points"]
        if points is None:
            require(r["status"] == "error" and r["max_score"] == 0, f"{name}: points are told")
        else:
            require(near(total, points) and r["max_score"] == expected["max"], f"{name}: {total}")
            require((r["status"] == "pass") == (points == expected["max"]), f"{name}: status")


def check50(path, expected):
    for name, text in each_file(path, "check50.json", expected, True).items():
        r = load(name, text)
        student = expected["students"][name]
        keys(name, r, ["slug", "version", "results", "error"], ["slug", "version"])
        require(("error" in r) != ("results" in r), f"{name}: error or results")
        require(("error" in r) == student["infra"], f"{name}: error")
        if "error" in r:
            keys(name, r["error"], ["type", "value", "traceback", "data"], ["type", "value"])
            continue
        names = set()
        undecided = False
        for c in r["results"]:
            keys(name, c, ["name", "description", "passed", "log", "cause", "data", "dependency"],
                 ["name", "description", "passed", "log", "cause", "data", "dependency"])
            require(c["name"] not in names, f"{name}: {c['name']} twice")
            names.add(c["name"])
            require(c["passed"] in (True, False, None), f"{name}: passed")
            require(isinstance(c["log"], list), f"{name}: log")
            require((c["cause"] is None) == (c["passed"] is True), f"{name}: cause")
            require(c["dependency"] is None or c["dependency"] in names, f"{name}: dependency")
            if c["data"]["max_points"] and c["data"]["points"] is None:
                undecided = True
                require(c["passed"] is None, f"{name}: not measured, and decided")
        require(undecided == (student["points"] is None), f"{name}: undecided")


def junit(path, expected):
    top = xml.etree.ElementTree.parse(path).getroot()
    require(top.tag == "testsuites", "the root")
    kinds = {"failure": "failures", "error": "errors", "skipped": "skipped"}

    def counted(element):
        found = {"tests": len(list(element.iter("testcase")))}
        for kind, name in kinds.items():
            found[name] = len(list(element.iter(kind)))
        for key, value in found.items():
            require(element.get(key) == str(value), f"{element.get('name')}: {key}")
    counted(top)
    suites = top.findall("testsuite")
    require({s.get("name") for s in suites} == set(expected["students"]), "the students")
    for suite in suites:
        name = suite.get("name")
        counted(suite)
        require(float(suite.get("time")) >= 0, f"{name}: time")
        for case in suite.findall("testcase"):
            require(case.get("name") and case.get("classname"), f"{name}: a case without a name")
            require(len(case) <= 1 and all(c.tag in kinds for c in case), f"{name}: a case")
            for c in case:
                clean(name, (c.get("message") or "") + (c.text or ""))
        student = expected["students"][name]
        found = {p.get("name"): p.get("value") for p in suite.find("properties")}
        require(("points" in found) == (student["points"] is not None), f"{name}: points")
        if "points" in found:
            require(near(float(found["points"]), student["points"]), f"{name}: points")
        require((suite.get("errors") != "0") == student["infra"], f"{name}: infrastructure")


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f, strict=True))
    for row in rows:
        require(len(row) == len(rows[0]), f"a row of {len(row)} cells")
        for cell in row:
            clean("a cell", cell)
            require(not re.match("[ \t\n]*[=+@|%\uff1d\uff0b\uff0d\uff20-]", cell), f"formula {cell!r}")
    return rows


def table(path, expected):
    rows = rows_of(path)
    require(len(set(rows[0])) == len(rows[0]), "two columns of one name")
    by_name = {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}
    require(len(by_name) == len(rows) - 1 == len(expected["students"]), "rows")
    for student in expected["students"].values():
        row = by_name.get(student["cell"])
        if not require(row is not None, f"{student['cell']}: no row"):
            continue
        if student["points"] is None:
            require(row["points"] == "" and row["why_no_points"], f"{student['cell']}: {row['points']}")
        else:
            require(near(float(row["points"]), student["points"]), f"{student['cell']}: points")
            require(not row["why_no_points"], f"{student['cell']}: why")


def imported(rows, key, grade, expected, column):
    graded = {row[key]: row[grade] for row in rows}
    require(len(graded) == len(rows), "a student twice")
    wanted = {s["ids"][column]: s["points"] for s in expected["students"].values()
              if s["points"] is not None and s["ids"].get(column)}
    require(set(graded) == set(wanted), f"students {set(graded) ^ set(wanted)}")
    for who, points in wanted.items():
        require(who in graded and near(float(graded[who]), points), f"{who}: {graded.get(who)}")


def canvas(path, expected):
    rows = rows_of(path)
    require(rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "hw02 (77)"],
            f"heading {rows[0]}")
    require(rows[1][0].strip() == "Points Possible" and float(rows[1][5]) == expected["max"],
            f"second row {rows[1]}")
    imported(rows[2:], 1, 5, expected, "canvas")


def moodle(path, expected):
    rows = rows_of(path)
    require(rows[0] == ["useremail", "hw02 (77)", "hw02 (77) feedback"], f"heading {rows[0]}")
    require(all(row[2].strip() for row in rows[1:]), "a grade without feedback")
    for row in rows[1:]:  # which Moodle takes for HTML
        require(re.fullmatch("<pre>[^<>\"\n]*</pre>", row[2]), f"{row[0]}: markup in {row[2]!r}")
    imported(rows[1:], 0, 1, expected, "email")


def plain_json(path, expected):
    with open(path, encoding="utf-8") as f:
        r = load("json", f.read())
    require(r["homework"] == "hw02" and r["max_points"] == expected["max"], "the head")
    found = {s["name"]: s for s in r["students"]}
    require(set(found) == set(expected["students"]), "the students")
    for name, student in expected["students"].items():
        points = found[name]["points"]
        if student["points"] is None:
            require(points is None and found[name]["why_no_points"], f"{name}: {points}")
        else:
            require(near(points, student["points"]), f"{name}: {points}")


CHECKS = {"gradescope": gradescope, "autolab": autolab, "prairielearn": prairielearn,
          "classroom50": classroom50, "github": github, "check50": check50, "junit": junit,
          "csv": table, "canvas": canvas, "moodle": moodle, "json": plain_json}


def main():
    form, path, expected = sys.argv[1:]
    with open(expected, encoding="utf-8") as f:
        expectation = json.load(f)
    try:
        CHECKS[form](path, expectation)
    except Exception as e:  # a file that cannot even be read so
        require(False, f"{type(e).__name__}: {e}")
    for problem in problems:
        print(f"{form}: {problem}".encode("ascii", "backslashreplace").decode())
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

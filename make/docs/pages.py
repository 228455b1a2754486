#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make docs: the Markdown of this tree as pages that open from the disk, with no network.

    make/docs/pages.py OUT        in the top folder; prints what it wrote, or each broken link

cmark-gfm reads the Markdown, as GitHub does. docs/README.md is the table of contents: a page that it
does not name is an error, and so is a link to a file or heading that is not there. Exit codes: 0,
1 (something is broken; OUT is left as it was), 77 (no cmark-gfm or lunr).
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import PurePosixPath

HERE = os.path.dirname(os.path.abspath(__file__))
CONTENTS = "docs/README.md"
HANDOUT = re.compile(r"hw[0-9]+/README\.md")
SOURCES = re.compile(r"(README|CONTRIBUTING|docs/.*|hw\d+/README|templates/README)\.md")
LUNR = "/usr/share/javascript/lunr/lunr.min.js"
LUNR_LICENCE = "/usr/share/doc/libjs-lunr/copyright"
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = HEADINGS + ("p", "pre", "li", "tr", "td", "th", "blockquote")


def files_of_tree():
    """Paths from the top: what git knows or would take; without git, all but what is built."""
    git = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         capture_output=True, check=False)
    if git.returncode == 0:
        return {f for f in git.stdout.decode().split("\0") if f and os.path.exists(f)}
    walk = (os.path.relpath(os.path.join(d, f), ".") for d, _, fs in os.walk(".") for f in fs)
    return {f for f in walk if not f.startswith("build/")}


def left_out():
    """What a handout (make/handout.sh) lacks of the tree: files and folders of the top."""
    if not os.path.exists(".handout"):
        return set()
    with open(".handout", encoding="utf-8") as file:
        return set(file.read().split())


def text_of(element):
    """The element's text, with a blank where a block ends."""
    parts = [element.text or ""]
    for child in element:
        parts += [text_of(child), " " if child.tag in BLOCKS else "", child.tail or ""]
    return "".join(parts)


def slug(heading, taken):
    """The anchor that GitHub gives a heading."""
    base = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
    name, n = base, 0
    while name in taken:
        n += 1
        name = f"{base}-{n}"
    taken.add(name)
    return name


class Page:
    """One Markdown file: its body as a tree, with anchors at the headings."""

    def __init__(self, path):
        self.path = path
        done = subprocess.run(["cmark-gfm", "-e", "table", "-e", "tasklist", "-e", "autolink", "-e",
                               "strikethrough", "--sourcepos", "-t", "html", path],
                              capture_output=True, check=True)
        self.body = xml.fromstring("<article>" + done.stdout.decode() + "</article>")
        self.raw_html = b"<!-- raw HTML omitted -->" in done.stdout
        self.anchors = set()
        self.lines = {}  # of elements that may be wrong
        self._walk(self.body, 1)
        titles = [text_of(e) for e in self.body if e.tag == "h1"]
        self.title = titles[0] if titles else path

    def _walk(self, element, line):
        place = element.attrib.pop("data-sourcepos", None)
        line = int(place.split(":")[0]) if place else line
        self.lines[element] = line
        if element.tag in HEADINGS:
            element.set("id", slug(text_of(element), self.anchors))
        for child in element:
            self._walk(child, line)

    @property
    def out(self):
        """Where it is written, from OUT."""
        name = re.sub(r"(^|/)README\.md$", r"\1index.md", self.path)
        return name[:-3] + ".html"

    def sections(self):
        """What the search finds: heading, anchor, text between two headings, and terms, which are
        what the rows of its tables begin with."""
        found = [{"heading": "", "anchor": "", "text": "", "terms": ""}]
        for element in self.body:
            if element.tag in HEADINGS:
                found.append({"heading": text_of(element), "anchor": element.get("id"), "text": "",
                              "terms": ""})
            else:
                rows = [row.find("td") for row in element.iter("tr")]
                found[-1]["terms"] += " ".join(text_of(cell) for cell in rows if cell is not None) + " "
                found[-1]["text"] += " ".join(text_of(element).split()) + " "
        return [s for s in found if s["heading"] or s["text"]]


class Site:
    def __init__(self, out):
        self.out = out
        self.files = files_of_tree()
        self.left_out = left_out()
        self.folders = {str(p) for f in self.files for p in PurePosixPath(f).parents}
        names = sorted(f for f in self.files if SOURCES.fullmatch(f))
        self.pages = {name: Page(name) for name in names}
        self.images = set()
        self.errors = []

    def error(self, page, element, words):
        self.errors.append(f"{page.path}:{page.lines[element]}: {words}")

    def target(self, page, link):
        """(path from the top, anchor) of a link within the tree; None of one that leads out of it."""
        if re.match(r"(https|mailto):", link):
            return None
        path, _, anchor = link.partition("#")
        if not path:
            return page.path, anchor
        return os.path.normpath(os.path.join(os.path.dirname(page.path), path)), anchor

    def check(self, page, link):
        """What is wrong with a link, in words; None if nothing is."""
        found = self.target(page, link)
        if found is None:
            return None
        path, anchor = found
        if re.match(r"[a-z]+:", link):
            return f"link to {link}: only https: leads out of the tree"
        if path not in self.files and path not in self.folders:
            return f"link to {link}: there is no {path} among the files of this tree"
        if anchor and path not in self.pages:
            return f"link to {link}: {path} is no page, so it has no #{anchor}"
        if anchor and anchor not in self.pages[path].anchors:
            return f"link to {link}: {path} has no heading #{anchor}"
        return None

    def relink(self, page):
        """Checks the links of a page and turns them to what is written."""
        for element in page.body.iter():
            for attribute in ("href", "src"):
                link = element.get(attribute)
                if link is None:
                    continue
                found = self.target(page, link)
                if found and found[0].split("/")[0] in self.left_out:
                    del element.attrib[attribute]
                    continue
                wrong = self.check(page, link)
                if wrong:
                    self.error(page, element, wrong)
                elif found:
                    element.set(attribute, self.written(page, *found, attribute == "src"))
        if page.raw_html:
            self.errors.append(f"{page.path}:1: raw HTML: GitHub and these pages do not show it alike")

    def written(self, page, path, anchor, is_image):
        start = os.path.dirname(os.path.join(self.out, page.out))
        if path in self.pages:
            goal = os.path.join(self.out, self.pages[path].out)
        elif is_image:
            self.images.add(path)
            goal = os.path.join(self.out, path)
        else:
            goal = path
        return os.path.relpath(goal, start) + ("#" + anchor if anchor else "")

    def contents(self):
        """(heading, pages) of docs/README.md. Each page must be there."""
        groups, named = [("", ["README.md"])], {"README.md", CONTENTS}
        for element in self.pages[CONTENTS].body:
            if element.tag == "h2":
                groups.append((text_of(element), []))
            for link in element.iter("a"):
                found = self.target(self.pages[CONTENTS], link.get("href", ""))
                path = found[0] if found else None
                if path in self.pages and path not in groups[-1][1] and path not in ("README.md", CONTENTS):
                    groups[-1][1].append(path)
                    named.add(path)
        # A homework is found by its folder, here, too.
        handouts = [g for g in groups if any(HANDOUT.fullmatch(path) for path in g[1])]
        for path in sorted(set(self.pages) - named):
            if handouts and HANDOUT.fullmatch(path):
                handouts[0][1].append(path)
                continue
            self.errors.append(f"{CONTENTS}:1: no link to {path}, so nobody would find that page")
        return groups

    def navigation(self, page, groups):
        start = os.path.dirname(page.out)
        lines = []
        for heading, paths in groups:
            if heading:
                lines.append(f"<h2>{html.escape(heading)}</h2>")
            lines.append("<ul>")
            for path in paths:
                other = self.pages[path]
                here = ' aria-current="page"' if other is page else ""
                lines.append(f'<li><a href="{os.path.relpath(other.out, start or ".")}"{here}>'
                             f"{html.escape(other.title)}</a></li>")
            lines.append("</ul>")
        return "\n".join(lines)

    def on_this_page(self, page):
        parts = [e for e in page.body if e.tag == "h2"]
        if len(parts) < 3:
            return ""
        links = "".join(f'<li><a href="#{e.get("id")}">{html.escape(text_of(e))}</a></li>' for e in parts)
        return f'<nav class="here" aria-label="On this page"><ul>{links}</ul></nav>'

    def write(self):
        groups = self.contents()
        for page in self.pages.values():
            self.relink(page)
        if self.errors:
            return
        new = self.out + ".new"
        shutil.rmtree(new, ignore_errors=True)
        frame = open(os.path.join(HERE, "page.html"), encoding="utf-8").read()
        for page in self.pages.values():
            values = {"title": html.escape(page.title), "navigation": self.navigation(page, groups),
                      "top": os.path.relpath(".", os.path.dirname(page.out) or ".") + "/",
                      "here": self.on_this_page(page),
                      "body": xml.tostring(page.body, encoding="unicode", method="html")}
            put(new, page.out, re.sub(r"@(\w+)@", lambda m: values[m.group(1)], frame))
        data = [dict(s, page=p.out, title=p.title) for p in self.pages.values() for s in p.sections()]
        put(new, "search-data.js", "const PAGES = " + json.dumps(data) + ";\n")
        copies = {os.path.join(HERE, "page.css"): "page.css", os.path.join(HERE, "search.js"): "search.js",
                  LUNR: "lunr.min.js", LUNR_LICENCE: "lunr.licence.txt"}
        for source, goal in [*copies.items(), *((i, i) for i in sorted(self.images))]:
            os.makedirs(os.path.dirname(os.path.join(new, goal)) or ".", exist_ok=True)
            shutil.copyfile(source, os.path.join(new, goal))
        shutil.rmtree(self.out, ignore_errors=True)
        os.rename(new, self.out)


def put(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which("cmark-gfm") or not os.path.exists(LUNR):
        print("pages.py: no cmark-gfm or no lunr here; make/packages.sh docs says how to get them",
              file=sys.stderr)
        sys.exit(77)
    site = Site(sys.argv[1].rstrip("/"))
    site.write()
    if site.errors:
        print("\n".join(site.errors), file=sys.stderr)
        sys.exit(1)
    print(f"{len(site.pages)} pages: open {site.out}/index.html")


main()

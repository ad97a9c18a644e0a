#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Build the site from the pages of the repository with mkdocs: offline, without a request to another host, below 5 MB.

usage: site.py SOURCE_DIR OUT_DIR

Copies the pages and the files that they show into OUT_DIR.src, writes a page of library/portaflow.h, runs mkdocs and checks every link and anchor of the result. Tables
of numbers (CSV) and sources stay in the repository: links to them become plain text. Exit 1 when a link leads nowhere, a page
loads something from another host, or the site is too large."""
import html.parser
import os
import re
import shutil
import subprocess
import sys
import urllib.parse

import yaml
from PIL import Image

LIMIT_BYTES = 5_000_000
PALETTE_ABOVE = 20_000
SHOWN = (".md", ".png", ".svg", ".cff", ".bib", ".yaml")
FIRST = ["README.md", "GUIDE.md", "common/CASE.md", "common/CASE_FLOW.md", "common/FILES.md", "common/GLOSSARY.md",
         "data/verification.md", "common/CREDIBILITY.md"]
DEVELOP = ["ARCHITECTURE.md", "DECISIONS.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "tests/README.md"]
LEFT_OUT = (".github/", "tests/docs/")
HEADER, HEADER_PAGE = "library/portaflow.h", "library/API.md"


def title_of(path):
    for line in open(path, encoding="utf-8"):
        if line.startswith("# "):
            return re.sub(r"[`*]", "", line[2:]).strip()
    return path


def copy_shown(path, to):
    """Copy a file; a large picture without a palette gets one, a third of its size."""
    if path.endswith(".png") and os.path.getsize(path) > PALETTE_ABOVE and Image.open(path).mode != "P":
        Image.open(path).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(to, optimize=True)
    if not os.path.exists(to) or os.path.getsize(to) > os.path.getsize(path):
        shutil.copyfile(path, to)


def copy_pages(source, folder):
    """Copy pages and what they show; return the pages."""
    listed = subprocess.run(["git", "-C", source, "ls-files", "*.md"], check=True, capture_output=True, text=True).stdout.split()
    pages = [p for p in listed if not p.startswith(LEFT_OUT)]
    for page in pages:
        text = open(os.path.join(source, page), encoding="utf-8").read()

        def link(match, page=page):
            mark, words, target = match.groups()
            path, mark_of_place, place = target.partition("#")
            place = re.sub(r"-+", "-", place).strip("-")  # as mkdocs writes it
            if not path or re.match(r"[a-z]+:", path):
                return match.group(0)
            inner = os.path.normpath(os.path.join(os.path.dirname(page), path))
            if inner == HEADER:
                return f"[{words}]({os.path.relpath(HEADER_PAGE, os.path.dirname(page) or '.')})"
            if not inner.endswith(SHOWN) or (inner.endswith(".md") and inner not in pages):
                return words  # a source, a table or a folder: in the repository only
            if not inner.endswith(".md"):
                to = os.path.join(folder, inner)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                copy_shown(os.path.join(source, inner), to)
            return f"{mark}[{words}]({path}{mark_of_place}{place})"

        blocks = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.M | re.S)
        for k in range(0, len(blocks), 2):
            blocks[k] = re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", link, blocks[k])
        text = "".join(blocks)
        text = re.sub(r"(!?)\[(`[^`\n]*`)\]\(([^)\s]+)\)", link, text)
        to = os.path.join(folder, page)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        # Python-Markdown needs an empty line before a list and a table
        text = re.sub(r"(?m)^(?!\s*(?:[-*+]|\d+\.)\s|\s|\||$)(.*\S)\n(?=(?:[-*]|\d+\.) )", r"\1\n\n", text)
        text = re.sub(r"(?m)^(?!\s*\||#|$)(.*\S)\n(?=\|)", r"\1\n\n", text)
        text = re.sub(r"(?m)^(#.*)\n(?=\|)", r"\1\n\n", text)
        open(to, "w", encoding="utf-8").write(text)
    return pages


def write_header_page(source, folder):
    """The header of the library: its introduction as text, then a section of declarations with their comments each."""
    text = open(os.path.join(source, HEADER), encoding="utf-8").read()
    introduction, rest = re.match(r"/\*.*?\*/\n/\* (.*?)\*/\n(.*)", text, re.S).groups()
    introduction = re.sub(r"(?m)^ \* ?(  )?", r"\1\1", introduction)  # the indented example stays a block of code
    rest = rest[rest.index("typedef struct pf_context"):rest.rindex("#ifdef __cplusplus")]
    parts = re.split(r"(?m)^/\* --- (\w+) -+ \*/\n", rest)
    names, codes = ["types"] + parts[1::2], parts[::2]
    missing = set(re.findall(r"\b(pf_\w+)\(", text)) - set(re.findall(r"\b(pf_\w+)\(", "".join(codes)) + re.findall(r"\b(pf_\w+)\(", introduction))
    assert not missing and len(names) > 5, f"{HEADER}: the page lacks {sorted(missing)}"
    page = f"# portaflow.h\n\n{introduction}\n" + "".join(
        f"\n## {name.capitalize()}\n\n" + re.sub(r"(?m)^(?=.)", "    ", code.strip().replace("PF_API ", "")) + "\n"
        for name, code in zip(names, codes))
    with open(os.path.join(folder, HEADER_PAGE), "w", encoding="utf-8") as f:
        f.write(page)


def navigation(source, pages):
    def entries(chosen):
        return [{title_of(os.path.join(source, p)): p} for p in chosen if p in pages]

    stages = [f"{s}/README.md" for s in ("segment", "mesh", "solve", "post", "pipeline", "data/phantom")]
    studies = sorted(p for p in pages if p.startswith(("data/verification/", "data/reproduce", "pipeline/reproduce")))
    rest = sorted(p for p in pages if p not in FIRST + DEVELOP + stages + studies)
    methods = [p for p in rest if p.startswith(("segment/", "mesh/", "solve/", "post/"))]
    other = [p for p in rest if p not in methods]
    return [{"Use": entries(FIRST)}, {"Stages": entries(stages)}, {"Methods": entries(methods)},
            {"Verification": entries(studies)}, {"Develop": entries(DEVELOP + other) + [{"portaflow.h": HEADER_PAGE}]}]


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(open(path, encoding="utf-8").read())

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.update(filter(None, (a.get("id"), a.get("name") if tag == "a" else None)))
        for key in ("href", "src"):
            if a.get(key):
                (self.loads if tag in ("img", "script", "link", "iframe") and a.get("rel") != "canonical" else self.links).append(a[key])


def check(out):
    """Return what is wrong with the site."""
    wrong, pages = [], {}
    for folder, _, names in os.walk(out):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                pages[os.path.normpath(path)] = Page(path)
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads:
                    wrong.append(f"{path}: loads {link}")
                continue
            if path.endswith("404.html") or link.startswith("/"):
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            if not os.path.isfile(to):  # without a server, a folder is a list of files and not its index.html
                wrong.append(f"{path}: there is no {link}")
            elif parts.fragment and to in pages and urllib.parse.unquote(parts.fragment) not in pages[to].ids:
                wrong.append(f"{path}: there is no place {link}")
    for folder, _, names in os.walk(out):
        for name in names:
            if name.endswith(".css"):
                for url in re.findall(r"url\(['\"]?(https?:[^)]*)", open(os.path.join(folder, name), encoding="utf-8").read()):
                    wrong.append(f"{name}: loads {url}")
    size = sum(os.path.getsize(os.path.join(f, n)) for f, _, names in os.walk(out) for n in names)
    if size > LIMIT_BYTES:
        wrong.append(f"the site has {size} bytes; the limit is {LIMIT_BYTES}")
    print(f"site: {len(pages)} pages, {size / 1e6:.1f} MB, {sum(len(p.links) for p in pages.values())} links in {out}")
    return wrong


def main():
    source, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    folder = out + ".src"
    for old in (folder, out):
        shutil.rmtree(old, ignore_errors=True)
    pages = copy_pages(source, folder)
    write_header_page(source, folder)
    settings = {
        "site_name": "Portaflow", "docs_dir": folder, "site_dir": out, "use_directory_urls": False,
        "theme": {"name": None, "custom_dir": os.path.join(source, "packaging/theme")},
        "plugins": [], "nav": navigation(source, pages), "markdown_extensions": [{"toc": {"permalink": False}}],
        "copyright": "Apache-2.0. Research software, not for clinical use.",
    }
    with open(out + ".yml", "w", encoding="utf-8") as f:
        yaml.safe_dump(settings, f, sort_keys=False)
    subprocess.run(["mkdocs", "build", "--strict", "--quiet", "-f", out + ".yml"], check=True)
    wrong = check(out)
    print(*["site: " + w for w in sorted(set(wrong))], sep="\n")
    return bool(wrong)


sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""A patient's folder of Portaflow, without Slicer: writes its case, gives the commands to run, lists the results.

Points are RAS in mm, as Slicer shows them.
"""
import csv
import hashlib
import os
import re
import shutil

IMAGE = "images/image.nii.gz"
LABELS = "images/labels.nii.gz"
CASE = "case.yaml"
NAME = re.compile(r"[^A-Za-z0-9_.-]")
ROLES = ("inlet", "outlet")


class CaseError(Exception):
    """What is missing or wrong in the form, for the user."""


class Opening:
    """Plane that cuts the vessel. condition: a key and value of the case, such as 'flow: 0.6 L/min'."""

    def __init__(self, name, role, ras_mm, condition):
        self.name, self.role, self.ras_mm, self.condition = name, role, ras_mm, condition


class Result:
    """File to load. kind: model, table or page. array: point data to colour by, with its title; None: one colour."""

    def __init__(self, path, kind, node, array=None, title=None, colour=(0.8, 0.3, 0.3), opacity=1.0):
        self.path, self.kind, self.node = path, kind, node
        self.array, self.title, self.colour, self.opacity = array, title, colour, opacity


def find_program(hint=""):
    """Path of `pipeline`: the hint (program, or folder that holds it or its bin); without a hint the installation of this
    module, or PATH. None: not found."""
    if hint:
        places = [hint, os.path.join(hint, "pipeline"), os.path.join(hint, "bin", "pipeline")]
        return next((p for p in places if os.path.isfile(p) and os.access(p, os.X_OK)), None)
    installed = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 4, "bin")
    return shutil.which("pipeline", path=installed) or shutil.which("pipeline")


def environment(current):
    """Environment for the programs: the libraries of Slicer must not replace theirs."""
    return {k: v for k, v in current.items() if k not in ("LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONHOME", "PYTHONPATH")}


def safe_name(label, taken=()):
    """Label as a case accepts it, different from the names in `taken`."""
    name = NAME.sub("_", label.strip()) or "opening"
    unique, n = name, 1
    while unique in taken:
        n += 1
        unique = "%s-%d" % (name, n)
    return unique


def _point(ras_mm):
    return "[%.4f, %.4f, %.4f]" % tuple(ras_mm)


def _check_openings(openings):
    names = [o.name for o in openings]
    for role in ROLES:
        if not any(o.role == role for o in openings):
            raise CaseError("no %s: place a point where blood %s the vessel and choose this role"
                            % (role, "enters" if role == "inlet" else "leaves"))
    for o in openings:
        if names.count(o.name) > 1:
            raise CaseError("two openings are named '%s'; rename one of the points" % o.name)
        if o.role not in ROLES:
            raise CaseError("opening '%s' has the role '%s'; choose inlet or outlet" % (o.name, o.role))
        if not re.fullmatch(r"\s*[a-z]+:\s*\S[^\n]*", o.condition):
            raise CaseError("opening '%s' has no flow or pressure; write for example 'flow: 0.6 L/min' or "
                            "'pressure: 0 mmHg'" % o.name)


def case_text(name, seeds, openings, with_labels, viscosity="3.5 mPa s", liver=""):
    """Text of case.yaml. with_labels: the vessel is the segmentation; otherwise it grows from the seeds in the image.
    liver: resistance of the liver with its unit and the section or opening of the portal vein, 'PV 4 mmHg min/L'; empty:
    no portal pressure gradient."""
    _check_openings(openings)
    if not with_labels and not seeds:
        raise CaseError("no seed: place one point inside each vessel, or choose a segmentation")
    if with_labels:
        segment = "segment: {method: labels, labels: {path: %s}}" % LABELS
    else:
        segment = "segment: {method: level-set, seeds: [%s]}" % ", ".join(_point(p) for p in seeds)
    lines = ["name: %s" % safe_name(name), "space: RAS", "image: {path: %s}" % IMAGE, segment, "openings:"]
    lines += ["  - {name: %s, role: %s, point: %s, normal: auto, %s}" % (o.name, o.role, _point(o.ras_mm), o.condition.strip())
              for o in openings]
    lines += ["blood: {density: 1060 kg/m3, viscosity: %s}" % viscosity, "mesh: {}", "solve: {mode: steady}", "readouts:"]
    inlet = next(o for o in openings if o.role == "inlet")
    lines += ["  - {pressure_drop: {from: %s, to: %s}}" % (inlet.name, o.name) for o in openings if o.role == "outlet"]
    if liver.strip():
        portal, _, value = liver.strip().partition(" ")
        if not value:
            raise CaseError("the liver needs an opening and a resistance, for example 'PV 4 mmHg min/L'")
        lines.append("  - ppg: {portal: %s, liver: {model: resistance, value: %s}}" % (portal, value))
    return "\n".join(lines) + "\n"


def _mark(text):
    """First line of a case of this module, with the checksum of the rest."""
    return "# Written by the Portaflow module of 3D Slicer, %s\n" % hashlib.sha256(text.encode()).hexdigest()[:16]


def write_case(folder, text):
    """Writes case.yaml. A case that somebody else wrote or changed is kept: CaseError. An equal case stays as it is."""
    path = os.path.join(folder, CASE)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            first, rest = f.readline(), f.read()
        if first != _mark(rest):
            raise CaseError("'%s' was written or changed outside this module and is kept; run it with pipeline, or "
                            "choose another folder" % path)
        if rest == text:
            return
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(_mark(text) + text)
    os.replace(path + ".new", path)


def check_command(program, folder):
    return [program, "check", folder]


def run_command(program, folder, fast=False):
    return [program, "run", folder] + (["--fast"] if fast else [])


def measure_command(program, folder):
    return [program, "measure", folder]


def table_command(program, folder, csv_path):
    return [program, "table", folder, "--csv", csv_path]


def results(folder):
    """Results that exist in the folder, in the order in which they are loaded."""
    post, segment, measure = (os.path.join(folder, "out", k) for k in ("post", "segment", "measure"))
    wanted = [
        Result(os.path.join(post, "wall.vtp"), "model", "Wall shear stress", "wss_pa", "Wall shear stress (Pa)"),
        Result(os.path.join(post, "wall.vtp"), "model", "Pressure", "pressure_pa", "Pressure (Pa)"),
        Result(os.path.join(measure, "centerlines.vtp"), "model", "Centerlines", colour=(1.0, 0.9, 0.2)),
        Result(os.path.join(segment, "lumen.stl"), "model", "Lumen", opacity=0.3),
        Result(os.path.join(post, "report.html"), "page", "Report"),
        Result(os.path.join(post, "view.html"), "page", "3D view"),
    ]
    return [r for r in wanted if os.path.isfile(r.path)]


def table_path(folder):
    return os.path.join(folder, "out", "table.csv")


def remove_table(folder):
    """Before a run: a table of an earlier run must not be shown beside newer results."""
    if os.path.isfile(table_path(folder)):
        os.remove(table_path(folder))


def staleness(folder):
    """Why the results do not belong to the case; "": they do. The table is the last file of a complete run."""
    if not os.path.isfile(table_path(folder)):
        return "no complete results in '%s'; press Run" % folder
    if os.path.getmtime(table_path(folder)) < os.path.getmtime(os.path.join(folder, CASE)):
        return "the case is newer than the results; press Run"
    return ""


def read_table(csv_path):
    """(name with unit, value, half-width of its 95 % interval or "") of the one patient in `pipeline table --csv`."""
    with open(csv_path, newline="", encoding="utf-8") as f:
        rows = [row for row in csv.reader(f) if row and not row[0].startswith("#")]
    if len(rows) < 2:
        raise CaseError("'%s' holds no patient" % csv_path)
    value = dict(zip(rows[0], rows[1]))
    return [(k, v, value.get(k.replace(" (", " +- ("), "")) for k, v in value.items() if v != "" and " +- (" not in k]

# SPDX-License-Identifier: Apache-2.0
"""The Slicer module without Slicer: its patient folder with the real programs, and its form with the classes of Slicer and
Qt replaced by mocks, which shows that every method runs, not what Slicer draws.   slicer_module.py SOURCE BIN"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from unittest import mock

source, binaries = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(source, "packaging", "slicer"))
sys.dont_write_bytecode = True
from PortaflowLib import patient  # noqa: E402

INLET, OUTLET = [3.0, 6.0, -18.0], [-3.0, -6.0, 18.0]
OPENINGS = [patient.Opening("IN", "inlet", INLET, "flow: 0.06 L/min"),
            patient.Opening("OUT", "outlet", OUTLET, "pressure: 0 mmHg")]


def refused(word, *arguments):
    try:
        patient.case_text(*arguments)
    except patient.CaseError as problem:
        assert word in str(problem), problem
        return
    raise AssertionError("a case without %s was accepted" % word)


def check_form():
    seed = [[0, 0, 0]]
    refused("seed", "p", [], OPENINGS, False)
    refused("no outlet", "p", seed, OPENINGS[:1], False)
    refused("two openings", "p", seed, OPENINGS + OPENINGS[:1], False)
    refused("no flow or pressure", "p", seed, [patient.Opening("IN", "inlet", INLET, "flow: "), OPENINGS[1]], False)
    refused("resistance", "p", seed, OPENINGS, False, "3.5 mPa s", "PV")
    assert patient.safe_name(" left PV/1 ", ["left_PV_1"]) == "left_PV_1-2"
    assert "LD_LIBRARY_PATH" not in patient.environment({"LD_LIBRARY_PATH": "/slicer", "HOME": "/h"})


def check_run(folder):
    program = patient.find_program(binaries)
    assert program == os.path.join(binaries, "pipeline"), program
    drawn = os.path.join(folder, "drawn")
    subprocess.run([os.path.join(binaries, "phantom"), "--kind", "tube", "--spacing", "1.5", "--out", drawn], check=True,
                   capture_output=True)
    here = os.path.join(folder, "p")
    os.makedirs(os.path.join(here, "images"))
    shutil.copy(os.path.join(drawn, "images", "tube.nii.gz"), os.path.join(here, patient.IMAGE))
    text = patient.case_text("Nobody", [[0, 0, 0]], OPENINGS, False, "3.5 mPa s", "OUT 4 mmHg min/L")
    patient.write_case(here, text)
    patient.write_case(here, text)  # its own case is replaced
    said = subprocess.run(patient.check_command(program, here), capture_output=True, text=True)
    assert said.returncode == 0, said
    table = os.path.join(here, "out", "table.csv")
    for command in (patient.run_command(program, here, True), patient.measure_command(program, here),
                    patient.table_command(program, here, table)):
        said = subprocess.run(command, capture_output=True, text=True)
        assert said.returncode == 0, said
    found = patient.results(here)
    assert [r.node for r in found] == ["Wall shear stress", "Pressure", "Centerlines", "Lumen", "Report", "3D view"], found
    with open(os.path.join(here, "out", "post", "wall.vtp"), "rb") as f:
        wall = f.read()
    for r in found:
        assert not r.array or b'Name="%s"' % r.array.encode() in wall, r.array
    value = {name: (number, half) for name, number, half in patient.read_table(table)}
    assert abs(float(value["inlet flow (mL/s)" if "inlet flow (mL/s)" in value else "IN flow (mL/s)"][0]) - 1) < 0.02, value
    with open(os.path.join(here, "out", "post", "readouts.json"), encoding="utf-8") as f:
        drop = json.load(f)["pressure_drops"][0]["value_pa"]
    assert abs(float(value["IN to OUT drop (Pa)"][0]) - drop) < 1e-5 * drop, value
    assert patient.staleness(here) == ""
    for changed in ("# mine\n", open(os.path.join(here, patient.CASE), encoding="utf-8").read() + "sections: []\n"):
        with open(os.path.join(here, patient.CASE), "w", encoding="utf-8") as f:
            f.write(changed)
        try:
            patient.write_case(here, text)
            raise AssertionError("a case of the user was overwritten")
        except patient.CaseError:
            pass
    os.utime(table, (1, 1))
    assert "newer" in patient.staleness(here)
    patient.remove_table(here)
    assert "no complete results" in patient.staleness(here)
    subprocess.run(patient.table_command(program, here, table), check=True, capture_output=True)
    return here


class Module:  # stands for the base classes of Slicer
    def __init__(self, parent=None):
        self.parent = parent

    def setup(self):
        self.layout = mock.MagicMock()


def check_widget(here):
    base = mock.MagicMock(ScriptedLoadableModule=Module, ScriptedLoadableModuleWidget=Module)
    fake = {name: mock.MagicMock() for name in ("ctk", "qt", "slicer", "vtk")}
    fake["slicer.ScriptedLoadableModule"] = base
    with mock.patch.dict(sys.modules, fake):
        import Portaflow
        fake["slicer"].util.startupEnvironment.return_value = {"HOME": "/h", "LD_LIBRARY_PATH": "/slicer"}
        Portaflow.Portaflow(mock.MagicMock())
        w = Portaflow.PortaflowWidget()
        w.setup()
        w._place = lambda: (os.path.join(binaries, "pipeline"), here)
        w._rows = lambda: [("IN", "inlet", "flow: 0.06 L/min"), ("OUT", "outlet", "pressure: 0 mmHg")]
        w._points_of = lambda node: [("IN", INLET), ("OUT", OUTLET)]
        fake["qt"].QProcess.NormalExit = 0
        w.volume.currentNode.return_value.GetParentTransformNode.return_value = None
        fake["slicer"].qMRMLNodeComboBox.return_value.currentNode.return_value.GetParentTransformNode.return_value = None
        w.name.text, w.viscosity.text, w.liver.text = "p", "3.5 mPa s", ""
        os.remove(os.path.join(here, patient.CASE))
        with open(patient.table_path(here), encoding="utf-8") as f:
            kept = f.read()
        w.list_openings()
        w.run()
        started = fake["qt"].QProcess.return_value.start.call_args[0]
        assert started[1][:2] == ["run", here], started
        assert "normal: auto" in open(os.path.join(here, patient.CASE), encoding="utf-8").read()
        try:
            w.run()
            raise AssertionError("a second run started")
        except patient.CaseError:
            pass
        for expected in ("table", "measure"):
            w._finished(0, 0)
            assert fake["qt"].QProcess.return_value.start.call_args[0][1][0] == expected
        w._finished(3, 0)
        assert w.process is None and not w.queue
        try:
            w.load()
            raise AssertionError("results of an incomplete run were loaded")
        except patient.CaseError:
            pass
        with open(patient.table_path(here), "w", encoding="utf-8") as f:  # as the run of `table` writes it
            f.write(kept)
        w.load()
        assert fake["slicer"].util.loadNodeFromFile.call_count == 4
        w._points_of = lambda node: []
        w._guarded(w.check)
        assert "has changed" in fake["slicer"].util.errorDisplay.call_args[0][0]
        w.cleanup()


for program in ("pipeline", "segment", "mesh", "solve", "post", "phantom"):
    if not os.access(os.path.join(binaries, program), os.X_OK):
        print("skipped: this build has no %s" % program)
        sys.exit(77)
check_form()
with tempfile.TemporaryDirectory() as work:
    check_widget(check_run(work))
print("module of 3D Slicer: form, run, results")

# SPDX-License-Identifier: Apache-2.0
"""Module of 3D Slicer: choose a volume, place seeds and openings, run Portaflow, load the results. The programs compute;
this module writes case.yaml and calls `pipeline`. Add its folder in Slicer: Edit > Application Settings > Modules."""
import os

import ctk
import qt
import slicer
import vtk
from slicer.ScriptedLoadableModule import ScriptedLoadableModule, ScriptedLoadableModuleWidget

from PortaflowLib import patient

SETTING = "Portaflow/program"
WARNING = "Research software, not for clinical use."


class Portaflow(ScriptedLoadableModule):
    def __init__(self, parent):
        ScriptedLoadableModule.__init__(self, parent)
        parent.title = "Portaflow"
        parent.categories = ["Cardiac and Vascular"]
        parent.contributors = ["The Portaflow contributors"]
        parent.helpText = "Pressures, wall shear stress and the portal pressure gradient from an image. " + WARNING
        parent.acknowledgementText = "Apache-2.0"


class PortaflowWidget(ScriptedLoadableModuleWidget):
    def setup(self):
        ScriptedLoadableModuleWidget.setup(self)
        self.process = None
        self.queue = []
        self._add_inputs()
        self._add_openings()
        self._add_actions()

    def cleanup(self):
        self.stop()

    # ------------------------------------------------------------------------------------------ form

    def _section(self, title):
        box = ctk.ctkCollapsibleButton()
        box.text = title
        self.layout.addWidget(box)
        return qt.QFormLayout(box)

    def _selector(self, node_class, tip, create=False):
        s = slicer.qMRMLNodeComboBox()
        s.nodeTypes = [node_class]
        s.addEnabled = s.removeEnabled = s.renameEnabled = create
        s.noneEnabled = True
        s.setMRMLScene(slicer.mrmlScene)
        s.toolTip = tip
        return s

    def _add_inputs(self):
        form = self._section("Patient")
        self.program = ctk.ctkPathLineEdit()
        self.program.currentPath = slicer.app.userSettings().value(SETTING) or patient.find_program() or ""
        self.folder = ctk.ctkPathLineEdit()
        self.folder.filters = ctk.ctkPathLineEdit.Dirs
        self.volume = self._selector("vtkMRMLScalarVolumeNode", "Image in which the vessel is bright or dark")
        self.segmentation = self._selector("vtkMRMLSegmentationNode", "Vessel already segmented; none: grown from the seeds")
        self.seeds = self._selector("vtkMRMLMarkupsFiducialNode", "One point inside each vessel", create=True)
        self.name = qt.QLineEdit("patient")
        self.viscosity = qt.QLineEdit("3.5 mPa s")
        self.liver = qt.QLineEdit("")
        self.liver.setPlaceholderText("PV 4 mmHg min/L")
        for label, widget in (("Program pipeline:", self.program), ("Folder of the patient:", self.folder),
                              ("Name in the report:", self.name), ("Volume:", self.volume),
                              ("Segmentation:", self.segmentation), ("Seeds:", self.seeds),
                              ("Viscosity of blood:", self.viscosity), ("Liver, opening and resistance:", self.liver)):
            form.addRow(label, widget)

    def _add_openings(self):
        form = self._section("Openings: planes where blood enters or leaves")
        self.points = self._selector("vtkMRMLMarkupsFiducialNode", "One point in each opening, named as the vessel", create=True)
        self.table = qt.QTableWidget(0, 3)
        self.table.setHorizontalHeaderLabels(["Opening", "Role", "Flow or pressure"])
        form.addRow("Points:", self.points)
        form.addRow(self.table)
        self.points.connect("currentNodeChanged(vtkMRMLNode*)", lambda node: self.list_openings())
        refresh = qt.QPushButton("List the points again")
        refresh.connect("clicked()", self.list_openings)
        form.addRow(refresh)

    def _add_actions(self):
        form = self._section("Run")
        self.fast = qt.QCheckBox("first look: steady flow, one coarse lattice, no intervals of the lattice")
        form.addRow(self.fast)
        for text, action in (("Check", self.check), ("Run", self.run), ("Stop", self.stop), ("Load results", self.load)):
            button = qt.QPushButton(text)
            button.connect("clicked()", lambda action=action: self._guarded(action))
            form.addRow(button)
        self.log = qt.QPlainTextEdit()
        self.log.setReadOnly(True)
        form.addRow(self.log)
        form.addRow(qt.QLabel(WARNING))

    # --------------------------------------------------------------------------------------- openings

    def _points_of(self, node):
        """(label, RAS mm) of the placed points of a list."""
        found = []
        for k in range(node.GetNumberOfControlPoints() if node else 0):
            if node.GetNthControlPointPositionStatus(k) == slicer.vtkMRMLMarkupsNode.PositionDefined:
                ras = [0.0, 0.0, 0.0]
                node.GetNthControlPointPositionWorld(k, ras)
                found.append((node.GetNthControlPointLabel(k), ras))
        return found

    def list_openings(self):
        kept = {name: (role, text) for name, role, text in self._rows()}
        self.table.setRowCount(0)
        taken = []
        for k, (label, _) in enumerate(self._points_of(self.points.currentNode())):
            name = patient.safe_name(label, taken)
            taken.append(name)
            role, text = kept.get(name, ("inlet", "flow: ") if k == 0 else ("outlet", "pressure: 0 mmHg"))
            choice = qt.QComboBox()
            choice.addItems(list(patient.ROLES))
            choice.setCurrentText(role)
            self.table.insertRow(k)
            self.table.setItem(k, 0, qt.QTableWidgetItem(name))
            self.table.setCellWidget(k, 1, choice)
            self.table.setItem(k, 2, qt.QTableWidgetItem(text))

    def _rows(self):
        return [(self.table.item(k, 0).text(), self.table.cellWidget(k, 1).currentText, self.table.item(k, 2).text())
                for k in range(self.table.rowCount)]

    def _openings(self):
        rows, points = self._rows(), self._points_of(self.points.currentNode())
        if len(rows) != len(points):
            raise patient.CaseError("the list of points has changed; press 'List the points again'")
        return [patient.Opening(name, role, ras, text) for (name, role, text), (_, ras) in zip(rows, points)]

    # ------------------------------------------------------------------------------------------- run

    def _guarded(self, action):
        try:
            action()
        except patient.CaseError as problem:
            slicer.util.errorDisplay(str(problem))

    def _place(self):
        program, folder = patient.find_program(self.program.currentPath), self.folder.currentPath
        if not program:
            raise patient.CaseError("there is no program 'pipeline' at '%s'; give its path" % self.program.currentPath)
        if not folder:
            raise patient.CaseError("choose a folder for the patient")
        slicer.app.userSettings().setValue(SETTING, program)
        return program, folder

    def prepare(self):
        """Writes image, segmentation and case into the patient's folder."""
        if self.process:
            raise patient.CaseError("a run is in progress; stop it first")
        program, folder = self._place()
        image, vessel = self.volume.currentNode(), self.segmentation.currentNode()
        if not image:
            raise patient.CaseError("choose the image (Volume)")
        for node in (image, vessel):
            if node and node.GetParentTransformNode():
                raise patient.CaseError("'%s' has a transform; harden it first (Transforms module)" % node.GetName())
        text = patient.case_text(self.name.text, [ras for _, ras in self._points_of(self.seeds.currentNode())],
                                 self._openings(), vessel is not None, self.viscosity.text, self.liver.text)
        os.makedirs(os.path.join(folder, "images"), exist_ok=True)
        patient.write_case(folder, text)
        self._save(image, os.path.join(folder, patient.IMAGE))
        if vessel:
            labels = slicer.mrmlScene.AddNewNodeByClass("vtkMRMLLabelMapVolumeNode")
            try:
                if not slicer.modules.segmentations.logic().ExportVisibleSegmentsToLabelmapNode(vessel, labels, image):
                    raise patient.CaseError("the segmentation has no visible segment")
                self._save(labels, os.path.join(folder, patient.LABELS))
            finally:
                slicer.mrmlScene.RemoveNode(labels)
        return program, folder

    def _save(self, node, path):
        if not slicer.util.saveNode(node, path):
            raise patient.CaseError("cannot write '%s'; check the permissions of the folder and the free space" % path)

    def check(self):
        program, folder = self.prepare()
        self._start([patient.check_command(program, folder)])

    def run(self):
        program, folder = self.prepare()
        patient.remove_table(folder)
        self._start([patient.run_command(program, folder, self.fast.checked),
                     patient.table_command(program, folder, patient.table_path(folder)),
                     patient.measure_command(program, folder)])

    def _start(self, commands):
        self.log.clear()
        self.queue = list(commands)
        self._next()

    def _next(self):
        command = self.queue.pop(0)
        self.process = qt.QProcess()
        self.process.setProcessChannelMode(qt.QProcess.MergedChannels)
        inside = qt.QProcessEnvironment()
        for key, value in patient.environment(slicer.util.startupEnvironment()).items():
            inside.insert(key, value)
        self.process.setProcessEnvironment(inside)
        self.process.connect("readyReadStandardOutput()", self._read)
        self.process.connect("finished(int,QProcess::ExitStatus)", self._finished)
        self.process.connect("errorOccurred(QProcess::ProcessError)", self._failed)
        self.process.start(command[0], command[1:])

    def _failed(self, error):
        if error == qt.QProcess.FailedToStart:  # no other error leaves out finished()
            self._finished(-1, qt.QProcess.CrashExit)

    def _read(self):
        self.log.appendPlainText(bytes(self.process.readAllStandardOutput().data()).decode("utf-8", "replace").rstrip())

    def _finished(self, code, status):
        self.process = None
        good = code == 0 and status == qt.QProcess.NormalExit
        if good and self.queue:
            self._next()
            return
        self.queue = []
        self.log.appendPlainText("done" if good else "stopped with exit code %d; the reason is in the lines above" % code)

    def stop(self):
        """Ends the run cleanly; Run continues from its checkpoint."""
        self.queue = []
        if self.process:
            self.process.terminate()

    # ------------------------------------------------------------------------------------------ load

    def load(self):
        _, folder = self._place()
        if self.process:
            raise patient.CaseError("a run is in progress; wait for it or stop it")
        problem = patient.staleness(folder)
        if problem:
            raise patient.CaseError(problem)
        found = patient.results(folder)
        if not found:
            raise patient.CaseError("no results in '%s'; press Run" % folder)
        for r in found:
            if r.kind == "page":
                self.log.appendPlainText("%s: %s" % (r.node, r.path))
            else:
                self._load_model(r)
        self._load_table(patient.read_table(patient.table_path(folder)))
        report = [r for r in found if r.node == "Report"]
        if report:
            qt.QDesktopServices.openUrl(qt.QUrl.fromLocalFile(report[0].path))

    def _load_model(self, r):
        node = slicer.util.loadNodeFromFile(r.path, "ModelFile", {"name": r.node})
        display = node.GetDisplayNode()
        display.SetOpacity(r.opacity)
        if r.array:
            display.SetActiveScalar(r.array, vtk.vtkAssignAttribute.POINT_DATA)
            display.SetAndObserveColorNodeID("vtkMRMLColorTableNodeFileViridis.txt")
            display.SetScalarRangeFlag(slicer.vtkMRMLDisplayNode.UseDataScalarRange)
            display.SetScalarVisibility(True)
            display.SetVisibility(r.array == "wss_pa")  # one coloured wall at a time
            legend = slicer.modules.colors.logic().AddDefaultColorLegendDisplayNode(display)
            legend.SetTitleText(r.title)
        else:
            display.SetColor(*r.colour)

    def _load_table(self, rows):
        node = slicer.mrmlScene.AddNewNodeByClass("vtkMRMLTableNode", "Portaflow readouts")
        columns = [vtk.vtkStringArray() for _ in range(3)]
        for column, title in zip(columns, ("readout", "value", "+- (95 %)")):
            column.SetName(title)
        for row in rows:
            for column, text in zip(columns, row):
                column.InsertNextValue(text)
        for column in columns:
            node.AddColumn(column)

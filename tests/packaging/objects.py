# SPDX-License-Identifier: Apache-2.0
"""Compare exported DICOM objects with the source series and with the signed distance to the wall.

usage: objects.py SOURCE_DIR OBJECTS_DIR phi.nii.gz named|anonymous [NEAR_MM]

NEAR_MM (default 0.001): voxels whose centres are nearer to the wall are not compared."""
import glob
import gzip
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np
import pydicom

source = [pydicom.dcmread(f) for f in sorted(glob.glob(sys.argv[1] + "/*.dcm"))]
objects = {f.rsplit("/", 1)[1]: pydicom.dcmread(f) for f in sorted(glob.glob(sys.argv[2] + "/*.dcm"))}
named = sys.argv[4] == "named"
bad = []


def check(what, good):
    if not good:
        bad.append(what)


check("readouts, pictures, lumen, document", {"SC0001.dcm", "SC0002.dcm", "SEG0001.dcm", "DOC0001.dcm"} <= set(objects))
for name, d in objects.items():
    check(name + ": patient", (d.PatientID == source[0].PatientID and d.PatientName == source[0].PatientName
                               and d.PatientBirthDate == source[0].PatientBirthDate) == named)
    check(name + ": study", (d.StudyInstanceUID == source[0].StudyInstanceUID) == named)
    check(name + ": new series", d.SeriesInstanceUID != source[0].SeriesInstanceUID)
    check(name + ": research", "not for clinical use" in str(d).lower())
    check(name + ": identity removed", (d.get("PatientIdentityRemoved") == "YES") == (not named))
check("instances differ", len({d.SOPInstanceUID for d in objects.values()}) == len(objects))
pdf = objects["DOC0001.dcm"].EncapsulatedDocument.rstrip(b"\0")
pictures = sum(name.startswith("SC") for name in objects)  # the readouts are a page, and each picture
check("PDF: pages", pdf.startswith(b"%PDF-") and pdf.count(b"/Type /Page ") == pictures == pdf.count(b"/Subtype /Image") + 1)
check("PDF: research on each page", pdf.count(b"RESEARCH, NOT FOR CLINICAL USE") == 2 * pictures)
check("PDF: text without the patient", objects["DOC0001.dcm"].BurnedInAnnotation == "NO")
with tempfile.TemporaryDirectory() as folder:
    open(folder + "/document.pdf", "wb").write(pdf)
    if shutil.which("pdftotext") and shutil.which("pdfimages"):
        text = subprocess.run(["pdftotext", "-layout", folder + "/document.pdf", "-"], capture_output=True, text=True)
        check("PDF: values " + text.stdout, re.search(r"drop +-?[0-9.]+.* (mmHg|Pa)", text.stdout) and not text.stderr)
        subprocess.run(["pdfimages", "-png", folder + "/document.pdf", folder + "/page"], check=True)
        check("PDF: pictures", len(glob.glob(folder + "/*.png")) == pictures - 1)
    else:
        print("objects: pdftotext is not installed (poppler-utils): no other reader opens the PDF")

seg = objects["SEG0001.dcm"]
mask = seg.pixel_array
check("frames", mask.shape == (len(source), source[0].Rows, source[0].Columns))
check("frame of reference", (seg.FrameOfReferenceUID == source[0].FrameOfReferenceUID) == named)
for s, group in zip(source, seg.PerFrameFunctionalGroupsSequence):
    check("position", np.allclose(group.PlanePositionSequence[0].ImagePositionPatient, s.ImagePositionPatient, atol=1e-3))
    if named:
        check("source image", group.DerivationImageSequence[0].SourceImageSequence[0].ReferencedSOPInstanceUID == s.SOPInstanceUID)
    else:
        check("no source image", "DerivationImageSequence" not in group and "ReferencedSeriesSequence" not in seg)
check("enough voxels", mask.sum() > 1000)

# the signed distance at the centres of the voxels, interpolated here
raw = gzip.open(sys.argv[3]).read()
dims = struct.unpack("<8h", raw[40:56])[1:4]
phi = np.frombuffer(raw[352:], "<f4")[: np.prod(dims)].reshape(dims[::-1]).astype(float)
sform = np.array(struct.unpack("<12f", raw[280:328])).reshape(3, 4)
sform[:2] *= -1
first, rows = np.array(source[0].ImagePositionPatient, float), np.array(source[0].ImageOrientationPatient, float)
step = np.array(source[1].ImagePositionPatient, float) - first
axes = np.stack([rows[:3] * source[0].PixelSpacing[1], rows[3:] * source[0].PixelSpacing[0], step], axis=1)
index = np.stack(np.meshgrid(*[np.arange(n) for n in mask.shape], indexing="ij"), -1)[..., ::-1]
at = (index @ axes.T + first - sform[:, 3]) @ np.linalg.inv(sform[:, :3]).T
inside = np.all((at > -0.5) & (at < np.array(dims) - 0.5), axis=-1)
at = np.clip(at, 0, np.array(dims) - 1)
low = np.minimum(at.astype(int), np.array(dims) - 2)
part = at - low
value = 0
for corner in np.ndindex(2, 2, 2):
    weight = np.prod(np.where(corner, part, 1 - part), axis=-1)
    x, y, z = np.moveaxis(low + np.array(corner), -1, 0)
    value = value + weight * phi[z, y, x]
sure = np.abs(value) > float((sys.argv[5:] or [1e-3])[0])
check("voxels are inside where the distance to the wall is negative", ((mask > 0) == (inside & (value < 0)))[sure].all())
print(*(["objects: wrong: " + b for b in sorted(set(bad))] or [f"objects: {len(objects)} objects, {int(mask.sum())} voxels"]), sep="\n")
sys.exit(bool(bad))

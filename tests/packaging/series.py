# SPDX-License-Identifier: Apache-2.0
"""Write a NIfTI image (float or integer, one file, little endian) as a DICOM series of MR slices with a patient.

usage: series.py IMAGE.nii.gz OUT_DIR"""
import gzip
import os
import struct
import sys

import numpy as np
import pydicom
from pydicom.dataset import FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, generate_uid

raw = gzip.open(sys.argv[1]).read()
dims = struct.unpack("<8h", raw[40:56])[1:4]
kind, spacing = struct.unpack("<h", raw[70:72])[0], struct.unpack("<8f", raw[76:108])[1:4]
sform = np.array(struct.unpack("<12f", raw[280:328])).reshape(3, 4)
sform[:2] *= -1  # RAS to LPS
voxels = np.frombuffer(raw[352:], {2: "u1", 4: "<i2", 16: "<f4", 512: "<u2"}[kind])[: np.prod(dims)]
voxels = np.clip(voxels.reshape(dims[::-1]), 0, 4095).astype("<u2")
study, series, frame = generate_uid(), generate_uid(), generate_uid()
os.makedirs(sys.argv[2], exist_ok=True)
for k in range(dims[2]):
    d = pydicom.Dataset()
    d.SOPClassUID, d.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.4", generate_uid()
    d.PatientName, d.PatientID, d.PatientBirthDate, d.PatientSex = "Zebrafink^Ottilie", "ID4711777", "19510203", "F"
    d.StudyInstanceUID, d.SeriesInstanceUID, d.FrameOfReferenceUID = study, series, frame
    d.StudyDate, d.StudyTime, d.AccessionNumber, d.StudyID = "20250304", "101112", "ACC998877", "ST55"
    d.ReferringPhysicianName, d.Modality, d.Manufacturer = "Doctor^Name", "MR", "Phantom"
    d.SeriesNumber, d.InstanceNumber = 3, k + 1
    d.ImagePositionPatient = [round(float(x), 5) for x in sform[:, 3] + k * sform[:, 2]]
    d.ImageOrientationPatient = [round(float(x), 8) for a in (0, 1) for x in sform[:, a] / spacing[a]]
    d.PixelSpacing = [round(float(spacing[1]), 6), round(float(spacing[0]), 6)]
    d.SliceThickness = round(float(spacing[2]), 6)
    d.SamplesPerPixel, d.PhotometricInterpretation = 1, "MONOCHROME2"
    d.Rows, d.Columns, d.BitsAllocated, d.BitsStored, d.HighBit, d.PixelRepresentation = dims[1], dims[0], 16, 12, 11, 0
    d.PixelData = voxels[k].tobytes()
    d.file_meta = FileMetaDataset()
    d.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    d.is_little_endian, d.is_implicit_VR = True, False
    d.save_as(f"{sys.argv[2]}/{k:04d}.dcm", write_like_original=False)

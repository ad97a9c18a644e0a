#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The outputs opened by the readers that others use: nibabel and ITK for NIfTI, VTK's own for .vtkhdf and .vtp; and what ITK
and VTK write read here. 3D Slicer reads and writes images with ITK and surfaces with VTK, the frame in a field array SPACE.

A straight vessel in an oblique, anisotropic, mirrored image written by nibabel: what the maps say at a voxel is what VTK finds in
the fields at that voxel's place, each frame as its file states it.

    readers.py BIN_DIR ITK_VALUES      exit 77: vtk or nibabel is not installed (python3-vtk9, python3-nibabel)
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import nibabel
    import numpy as np
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as e:
    print(f'skipped: {e}; apt-get install python3-vtk9 python3-nibabel')
    sys.exit(77)

CASE = '''name: readers
space: voxel
image: {path: image.nii.gz}
segment: {method: labels, labels: {path: mask.nii.gz}}
openings:
  - {name: IN, role: inlet, point: [13, 12, 3], normal: auto, flow: 0.05 L/min}
  - {name: OUT, role: outlet, point: [13, 12, 16], normal: auto, pressure: 0 mmHg}
mesh: {spacing: 0.8 mm}
solve: {mode: steady, tolerance: 1e-3}
post: {nifti: true}
readouts: [{pressure_drop: {from: IN, to: OUT}}]
'''


def write_images(folder):
    """A tube of radius 5 mm along the third axis, voxels of 1 x 1.25 x 2 mm, turned about two axes and mirrored."""
    a, b = 0.4, -0.25
    turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]]) @ np.array(
        [[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    affine = np.eye(4)
    affine[:3, :3] = turn @ np.diag([-1, 1.25, 2])
    affine[:3, 3] = [21, -34, 55]
    i, j, k = np.mgrid[0:27, 0:25, 0:20]
    inside = (np.hypot(i - 13, 1.25 * (j - 12)) < 5) & (k > 0) & (k < 19)
    nibabel.save(nibabel.Nifti1Image(inside.astype(np.uint8), affine), os.path.join(folder, 'mask.nii.gz'))
    nibabel.save(nibabel.Nifti1Image((100 + 400 * inside).astype(np.int16), affine), os.path.join(folder, 'image.nii.gz'))
    return affine


def in_itk(program, path, voxel):
    said = subprocess.run([program, path] + [str(n) for v in voxel for n in v], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [[float(x) for x in line.split()] for line in said.splitlines()]
    return lines[0], np.array(lines[1:])


SURFACE_CASE = CASE.replace('space: voxel', 'space: RAS').replace('segment: {method: labels, labels: {path: mask.nii.gz}}',
                                                                  'segment: {method: surface, surface: {path: tube.vtp}}')


def write_tube(path, affine, space):
    """The wall of the tube as VTK writes it, closed by flat ends, in mm of this frame, which it names as Slicer does."""
    line = vtk.vtkLineSource()
    line.SetPoint1(0, 0, 0.5)
    line.SetPoint2(0, 0, 18.5)
    line.SetResolution(40)
    tube = vtk.vtkTubeFilter()
    tube.SetInputConnection(line.GetOutputPort())
    tube.SetRadius(5)
    tube.SetNumberOfSides(60)
    tube.CappingOn()
    triangles = vtk.vtkTriangleFilter()
    triangles.SetInputConnection(tube.GetOutputPort())
    triangles.Update()
    wall = vtk.vtkPolyData()
    wall.DeepCopy(triangles.GetOutput())
    index = vtk_to_numpy(wall.GetPoints().GetData()).astype(float) / [1, 1.25, 1] + [13, 12, 0]
    place = (index @ affine[:3, :3].T + affine[:3, 3]) * ([1, 1, 1] if space == 'RAS' else [-1, -1, 1])
    for k, p in enumerate(place):
        wall.GetPoints().SetPoint(k, *p)
    name = vtk.vtkStringArray()
    name.SetName('SPACE')
    name.InsertNextValue(space)
    wall.GetFieldData().AddArray(name)
    writer = vtk.vtkXMLPolyDataWriter()
    writer.SetFileName(path)
    writer.SetInputData(wall)
    writer.Write()


def check_brought(bin_dir, itk, folder, affine):
    """A mask as NRRD by ITK, a surface by VTK in either frame: the lumen lies where the mask does."""
    mask = nibabel.load(os.path.join(folder, 'mask.nii.gz')).get_fdata()
    middle = affine[:3, :3] @ np.array([13, 12, 9.5]) + affine[:3, 3]
    subprocess.run([itk, os.path.join(folder, 'mask.nii.gz'), '--copy', os.path.join(folder, 'mask.seg.nrrd')], check=True)
    points = [affine[:3, :3] @ np.array([13, 12, k]) + affine[:3, 3] for k in (3, 16)]
    in_ras = SURFACE_CASE
    for k, p in zip((3, 16), points):
        in_ras = in_ras.replace(f'[13, 12, {k}]', '[' + ', '.join(f'{x:.4f}' for x in p) + ']')
    for name, case in (('mask.seg.nrrd', CASE.replace('mask.nii.gz', 'mask.seg.nrrd')), ('RAS', in_ras), ('LPS', in_ras)):
        with open(os.path.join(folder, 'case.yaml'), 'w', encoding='ascii') as f:
            f.write(case)
        if case is in_ras:
            write_tube(os.path.join(folder, 'tube.vtp'), affine, name)
        subprocess.run([os.path.join(bin_dir, 'segment'), '--case', os.path.join(folder, 'case.yaml'), '--out', os.path.join(folder, 'brought')], check=True,
                       stderr=subprocess.DEVNULL)
        lumen = nibabel.load(os.path.join(folder, 'brought', 'lumen.nii.gz'))
        found = np.argwhere(lumen.get_fdata() > 0).mean(axis=0)
        off = np.linalg.norm(lumen.affine[:3, :3] @ found + lumen.affine[:3, 3] - middle)
        assert off < 0.6, f'{name}: the lumen lies {off:.2f} mm beside the mask of {int(mask.sum())} voxels'


def read_fields(path):
    reader = vtk.vtkHDFReader()
    assert reader.CanReadFile(path), 'VTK does not take fields.vtkhdf'
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def probe(image, lps, name):
    points = vtk.vtkPoints()
    for p in lps:
        points.InsertNextPoint(*p)
    at = vtk.vtkPolyData()
    at.SetPoints(points)
    run = vtk.vtkProbeFilter()
    run.SetInputData(at)
    run.SetSourceData(image)
    run.Update()
    return vtk_to_numpy(run.GetOutput().GetPointData().GetArray(name))


def main(bin_dir, itk):
    with tempfile.TemporaryDirectory() as folder:
        affine = write_images(folder)
        with open(os.path.join(folder, 'case.yaml'), 'w', encoding='ascii') as f:
            f.write(CASE)
        subprocess.run([os.path.join(bin_dir, 'pipeline'), 'run', folder, '--quiet'], check=True, stdout=subprocess.DEVNULL)
        post = os.path.join(folder, 'out', 'post')
        fields = read_fields(os.path.join(folder, 'out', 'solve', 'fields.vtkhdf'))
        # a cross-section in the middle, away from the wall
        voxel = np.array([(i, j, 10) for i in range(11, 16) for j in range(10, 15)])
        ras = voxel @ affine[:3, :3].T + affine[:3, 3]
        lps = ras * [-1, -1, 1]
        velocity = probe(fields, lps, 'velocity_m_s')
        speed = nibabel.load(os.path.join(post, 'speed_m_s.nii.gz'))
        assert speed.shape[:3] == (27, 25, 20) and np.abs(speed.affine - affine).max() < 1e-4, 'speed.nii.gz is on another grid'
        assert speed.header.get_xyzt_units()[0] == 'mm'
        mapped = speed.get_fdata()[tuple(voxel.T)]
        highest = np.linalg.norm(velocity, axis=1).max()
        assert 0.01 < highest < 0.06, f'highest speed {highest} m/s (mean 0.0106, twice that on the axis)'
        worst = np.abs(mapped - np.linalg.norm(velocity, axis=1)).max() / highest
        assert worst < 0.03, f'speed.nii.gz is {100 * worst:.1f} % off what VTK reads in fields.vtkhdf'
        along = np.linalg.norm(affine[:3, 2])
        axis = affine[:3, 2] / along * [-1, -1, 1]
        size, itk_finds = in_itk(itk, os.path.join(post, 'speed_m_s.nii.gz'), voxel)
        assert size == [27, 25, 20] and np.abs(itk_finds[:, :3] - lps).max() < 1e-3, 'ITK finds the voxels elsewhere'
        assert np.abs(itk_finds[:, 3] - mapped).max() < 1e-6, 'ITK finds other speeds'
        assert (velocity @ axis > 0.95 * np.linalg.norm(velocity, axis=1)).all(), 'the velocity does not run along the vessel'
        parts = [nibabel.load(os.path.join(post, f'velocity_{way}_m_s.nii.gz')).get_fdata()[tuple(voxel.T)] for way in ('left', 'posterior', 'superior')]
        worst_part = np.abs(np.array(parts).T - velocity).max() / highest
        assert worst_part < 0.03, f'the maps of the components are {100 * worst_part:.1f} % off what VTK reads (frame?)'
        pressure = nibabel.load(os.path.join(post, 'pressure_pa.nii.gz')).get_fdata()
        assert pressure[13, 12, 5] > pressure[13, 12, 14] > -1, 'the pressure does not fall along the flow'
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(os.path.join(post, 'wall.vtp'))
        reader.Update()
        wall = reader.GetOutput()
        assert wall.GetFieldData().GetAbstractArray('SPACE').GetValue(0) == 'LPS'
        index = (vtk_to_numpy(wall.GetPoints().GetData()) * [-1, -1, 1] - affine[:3, 3]) @ np.linalg.inv(affine[:3, :3]).T
        radius = np.hypot(index[:, 0] - 13, 1.25 * (index[:, 1] - 12))
        middle = np.abs(index[:, 2] - 10) < 4
        assert middle.sum() > 50 and np.abs(radius[middle] - 5).max() < 0.8, 'the wall lies beside the vessel of the image'
        stress = vtk_to_numpy(wall.GetPointData().GetArray('wss_pa'))[middle]
        with open(os.path.join(post, 'readouts.json'), encoding='utf-8') as f:
            highest_wss = json.load(f)['wss']['max_pa']
        assert 0 < np.nanmean(stress) <= highest_wss
        with open(os.path.join(post, 'dataset_description.json'), encoding='utf-8') as f:
            about = json.load(f)
        assert about['DatasetType'] == 'derivative' and all(os.path.exists(os.path.join(post, n)) for n in about['Files'])
        check_brought(bin_dir, itk, folder, affine)
        print(f'speed within {100 * worst:.2f} %, wall within {np.abs(radius[middle] - 5).max():.2f} mm')


main(sys.argv[1], sys.argv[2])

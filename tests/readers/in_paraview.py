#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The outputs opened by ParaView itself, by the names that its file dialog knows: fields.hdf.series, wall.vtp, wall.pvd.

A pulsatile flow through a straight tube: the times, and the flow that ParaView integrates over a cross-section against the
readouts.

    in_paraview.py BIN_DIR PVPYTHON      runs the case, then itself in pvpython on it; exit 77: there is no pvpython
"""
import json
import os
import subprocess
import sys
import tempfile

CASE = '''name: tube
space: LPS
openings:
  - {name: IN, role: inlet, point: [0, 0, -4], normal: [0, 0, -1], flow: {waveform: in.csv}}
  - {name: OUT, role: outlet, point: [0, 0, 4], normal: [0, 0, 1], pressure: 0 mmHg}
mesh:
  spacing: 0.5 mm
  shape: {type: cylinder, from: [0, 0, -4], to: [0, 0, 4], radius: 3 mm}
  box: {low: [-4, -4, -5], high: [4, 4, 5]}
solve: {mode: pulsatile, cycles: 4, stores: 4}
sections: [{name: middle, point: [0, 0, 0], normal: [0, 0, 1]}]
post: {instants: [0.05 s, 0.1 s]}
'''
WAVE = 't_s,flow_ml_s\n0,0.8\n0.1,1.2\n0.2,0.8\n'


def run_case(bin_dir, pvpython):
    if not os.path.exists(pvpython):
        print('skipped: there is no pvpython (package python3-paraview)')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (('case.yaml', CASE), ('in.csv', WAVE)):
            with open(os.path.join(folder, name), 'w', encoding='ascii') as f:
                f.write(text)
        subprocess.run([os.path.join(bin_dir, 'pipeline'), 'run', folder, '--quiet'], check=True, stdout=subprocess.DEVNULL)
        return subprocess.run([pvpython, '--force-offscreen-rendering', __file__, '--inside', folder], check=False).returncode


def inside(folder):
    from paraview import simple
    from paraview.servermanager import Fetch
    from vtk.util.numpy_support import vtk_to_numpy
    post = os.path.join(folder, 'out', 'post')
    with open(os.path.join(post, 'readouts.json'), encoding='utf-8') as f:
        readouts = json.load(f)
    with open(os.path.join(folder, 'out', 'solve', 'solve.json'), encoding='utf-8') as f:
        stored = [one['time_s'] for one in json.load(f)['result']['fields']]

    fields = simple.OpenDataFile(os.path.join(post, 'fields.hdf.series'))
    times = list(fields.TimestepValues)
    assert len(times) == len(stored) == 4 and max(abs(a - b) for a, b in zip(times, stored)) < 1e-6, f'times {times}, stored {stored}'
    flows = []
    for t in times:
        simple.UpdatePipeline(t, fields)
        cut = simple.Slice(Input=fields, SliceType='Plane')
        cut.SliceType.Origin, cut.SliceType.Normal = [0, 0, 0], [0, 0, 1]
        whole = simple.IntegrateVariables(Input=cut)
        simple.UpdatePipeline(t, whole)
        flows.append(vtk_to_numpy(Fetch(whole).GetPointData().GetArray('velocity_m_s'))[0][2])  # mm2 m/s = mL/s
    for one in readouts['instants']:
        k = min(range(len(times)), key=lambda i: abs(times[i] - one['time_s']))
        there = one['sections']['middle']['flow_ml_s']
        assert abs(flows[k] - there) < 0.03 * there, f'{flows[k]} mL/s at {times[k]} s, readouts have {there}'

    wall = simple.OpenDataFile(os.path.join(post, 'wall.vtp'))
    simple.UpdatePipeline(proxy=wall)
    names = {wall.PointData.GetArray(k).Name for k in range(wall.PointData.GetNumberOfArrays())}
    assert {'wss_pa', 'pressure_pa', 'tawss_pa', 'osi'} <= names, names
    series = simple.OpenDataFile(os.path.join(post, 'wall.pvd'))
    assert [round(t, 6) for t in series.TimestepValues] == [round(one['time_s'], 6) for one in readouts['instants']]
    print(f'ParaView {simple.GetParaViewVersion()}: flows {[round(float(q), 4) for q in flows]} mL/s, {len(names)} values on the wall')


if sys.argv[1] == '--inside':
    inside(sys.argv[2])
else:
    sys.exit(run_case(sys.argv[1], sys.argv[2]))

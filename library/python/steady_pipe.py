# SPDX-License-Identifier: Apache-2.0
"""Steady flow between one inlet and one outlet, as examples/steady_pipe.c; with NumPy also the largest velocity.
usage: steady_pipe.py LATTICE.h5 INLET FLOW_M3_S OUTLET"""
import sys

import portaflow

path, inlet, flow, outlet = sys.argv[1:]
lattice = portaflow.Lattice(path)
case = portaflow.Case(lattice, flows={inlet: float(flow)}, pressures={outlet: 0})
solver = portaflow.Solver(lattice, case)
solver.run()
openings = solver.openings
for name, opening in openings.items():
    print(f"{name} {opening.flow_m3_s:.9g} m3/s {opening.pressure_pa:.9g} Pa")
drop = openings[inlet].pressure_pa - openings[outlet].pressure_pa
print(f"pressure drop {drop:.9g} Pa after {solver.result.steps} steps")
if portaflow.numpy:
    speed = portaflow.numpy.linalg.norm(solver.fields().velocity_m_s, axis=1)
    print(f"largest velocity {speed.max():.4g} m/s in cell {speed.argmax()} of {lattice.cells}", file=sys.stderr)
else:
    print("NumPy is missing: the largest velocity is not computed", file=sys.stderr)

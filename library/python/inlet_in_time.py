# SPDX-License-Identifier: Apache-2.0
"""An inlet flow that varies in time, as examples/inlet_in_time.c: prints the pressure drop of each quarter of the first cycle,
and the mean velocity along z of each stored phase.
usage: inlet_in_time.py LATTICE.h5 INLET FLOW_M3_S OUTLET PERIOD_S"""
import math
import sys

import portaflow

path, inlet, flow, outlet, period = sys.argv[1:]
flow, period = float(flow), float(period)
times = [period * k / 16 for k in range(16)]
flows = [flow * (1 + 0.25 * math.sin(2 * math.pi * t / period)) for t in times]
lattice = portaflow.Lattice(path)
case = portaflow.Case(lattice, waveforms={inlet: (times, flows, period)}, pressures={outlet: 0}, pulsatile=(2, 4))
solver = portaflow.Solver(lattice, case)
print("time_s,flow_m3_s,pressure_drop_pa")
for quarter in range(1, 5):
    solver.run_to(quarter * period / 4)
    at = solver.openings
    print(f"{solver.result.time_s:.6g},{at[inlet].flow_m3_s:.9g},{at[inlet].pressure_pa - at[outlet].pressure_pa:.9g}")
solver.run()  # until the flow is periodic
for phase in range(solver.phases):
    fields = solver.fields(phase)
    velocity = fields.velocity_m_s
    mean = sum(velocity[c, 2] for c in range(lattice.cells)) / lattice.cells
    print(f"phase {phase} at {fields.time_s:.4g} s: mean velocity along z {mean:.6g} m/s")

# SPDX-License-Identifier: Apache-2.0
"""Pressure drop for several viscosities, as examples/parameter_study.c, with one thread per value: each has its own Context.
usage: parameter_study.py LATTICE.h5 INLET FLOW_M3_S OUTLET"""
import concurrent.futures
import sys

import portaflow

path, inlet, flow, outlet = sys.argv[1:]
lattice = portaflow.Lattice(path)


def solve(viscosity):
    context = portaflow.Context(threads=1)
    case = portaflow.Case(lattice, flows={inlet: float(flow)}, pressures={outlet: 0}, viscosity_pa_s=viscosity, context=context)
    solver = portaflow.Solver(lattice, case, context)
    solver.run()
    drop = solver.openings[inlet].pressure_pa - solver.openings[outlet].pressure_pa
    return f"{viscosity:g},{drop:.9g},{solver.result.velocity_max_m_s:.9g}"


print("viscosity_pa_s,pressure_drop_pa,velocity_max_m_s")
with concurrent.futures.ThreadPoolExecutor() as pool:
    print(*pool.map(solve, (3e-3, 3.5e-3, 4e-3)), sep="\n")

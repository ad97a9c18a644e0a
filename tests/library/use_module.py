# SPDX-License-Identifier: Apache-2.0
"""Errors, cancellation, continued runs and arrays of the Python module. usage: use_module.py LATTICE.h5"""
import sys

import portaflow


def expect_error(status, text, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except portaflow.Error as error:
        assert error.status == status and text in str(error), (error.status, str(error))
    else:
        raise AssertionError("no error: " + text)


notes, messages = [], []
context = portaflow.Context(threads=1, on_message=lambda level, text: messages.append(text),
                            on_progress=lambda share, left_s, note: notes.append(note))
lattice = portaflow.Lattice(sys.argv[1], context)
flow = {"flows": {"IN": 1e-6}, "pressures": {"OUT": 0}}
expect_error(3, "absent.h5", portaflow.Lattice, "absent.h5", context)
expect_error(3, "no opening 'X'", portaflow.Case, lattice, flows={"X": 1})
expect_error(3, "viscosity", portaflow.Case, lattice, viscosity_pa_s=-1)
expect_error(3, "'OUT' has no condition", portaflow.Solver, lattice, portaflow.Case(lattice, flows={"IN": 1e-6}))
expect_error(3, "every opening has a flow", portaflow.Solver, lattice, portaflow.Case(lattice, flows={"IN": 1e-6, "OUT": 1e-6}))
expect_error(2, "threads", portaflow.Context, threads=0)
for device in "gpu", "cuda:", "cuda:1x", "cuda:-1", "cuda:1000", "cuda0":
    expect_error(2, f"device '{device}' is unknown", portaflow.Context, device=device)
expect_error(6, "device cuda:999: ", portaflow.Context, device="cuda:999")
expect_error(3, "100 L/min", portaflow.Case, lattice, flows={"IN": 1})
expect_error(3, "1000 mmHg", portaflow.Case, lattice, pressures={"OUT": float("nan")})
pulse = ([0, 0.1], [0.8e-6, 1.2e-6], 0.2)
for text, wave in (("2 to", ([0], [1e-6], 0.2)), ("ascend", ([0, 0], [1e-6, 1e-6], 0.2)), ("period", ([0, 0.1], [1e-6, 1e-6], 0)),
                   ("longer than", ([0, 0.1], [1e-6, 1e-6], 0.05)), ("sample 1", ([0, 0.1], [1e-6, 1], 0.2))):
    expect_error(3, text, portaflow.Case, lattice, waveforms={"IN": wave})
expect_error(3, "3 to 1000 phases", portaflow.Case, lattice, pulsatile=(1, 2))
expect_error(3, "needs a waveform", portaflow.Solver, lattice, portaflow.Case(lattice, **flow, pulsatile=(1, 3)))

solver = portaflow.Solver(lattice, portaflow.Case(lattice, **flow))
expect_error(2, "no flow yet", solver.fields)
expect_error(2, "flow is steady", solver.run_to, 1)
expect_error(2, "phase 0 is not stored", solver.fields, 0)
assert solver.device in ("cpu", "cuda") and solver.phases == 0
context.cancel()
expect_error(7, "cancelled", solver.run)
solver.run(100)
begun = solver.result
assert 0 < begun.steps and not begun.converged, begun
solver.run()
whole = portaflow.Solver(lattice, portaflow.Case(lattice, **flow))
whole.run()
assert solver.result.converged and whole.result.converged and notes and messages
drop, other = (s.openings["IN"].pressure_pa - s.openings["OUT"].pressure_pa for s in (solver, whole))
assert abs(drop - other) < 2e-3 * other, (drop, other)
assert abs(whole.openings["OUT"].flow_m3_s - 1e-6) < 2e-9, whole.openings

case = portaflow.Case(lattice, pressures={"OUT": 0}, waveforms={"IN": pulse}, pulsatile=(1, 3))
case._set(portaflow._set_flow, b"IN", 2e-6)  # a flow replaces a waveform, and a waveform a flow
case._set(portaflow._set_waveform, b"IN", *((portaflow.c_double * 2)(*v) for v in pulse[:2]), 2, 0.2)
cycles = portaflow.Solver(lattice, case)
del case
cycles.run_to(0.1)
assert 0.1 <= cycles.result.time_s < 0.103 and abs(cycles.result.period_s - 0.2) < 1e-9, cycles.result
assert abs(cycles.openings["IN"].flow_m3_s - 1.2e-6) < 0.01e-6, cycles.openings
cycles.run_to(0.05)
assert cycles.result.time_s >= 0.1 and cycles.phases == 0
cycles.run()
assert cycles.result.converged and cycles.phases == 3 and cycles.result.cycle_change < 0.01, cycles.result
ends = [cycles.fields(k) for k in range(3)]
assert abs(ends[1].time_s - 0.2 / 3) < 2e-3 and ends[0].temperature_c is None
speeds = [max(f.velocity_m_s[c, 2] for c in range(lattice.cells)) for f in ends]
assert speeds[0] < speeds[1] and abs(speeds[1] / speeds[2] - 1) < 0.1, speeds
del ends, cycles

if portaflow.numpy:  # the tube of examples/mesh_lumen.c
    z, y, x = portaflow.numpy.meshgrid(*(portaflow.numpy.arange(n) for n in (33, 21, 21)), indexing="ij")
    lumen = portaflow.Lumen(portaflow.numpy.hypot(0.5 * x - 5, 0.5 * y - 5) - 3, (0.5, 0.5, 0.5), (-5, -5, -8))
    tube = portaflow.Case("lumen/case.yaml")
    made = portaflow.Lattice(tube, lumen=lumen)
    assert 0.9 < made.cells / lattice.cells < 1.1 and made.openings == ["IN", "OUT"], (made.cells, lattice.cells)
    expect_error(3, "needs a lumen", portaflow.Lattice, tube)
    expect_error(3, "axis 0", portaflow.Lumen, portaflow.numpy.zeros((5, 5, 2)), (1, 1, 1), (0, 0, 0))
    expect_error(3, "above 0", portaflow.Lumen, portaflow.numpy.zeros((5, 5, 5)), (1, 0, 1), (0, 0, 0))

def stop(share, left_s, note):
    raise KeyboardInterrupt


stopped = portaflow.Context(threads=1, on_progress=stop)
solver = portaflow.Solver(lattice, portaflow.Case(lattice, **flow), stopped)
try:
    solver.run()
    raise AssertionError("an exception in on_progress is lost")
except KeyboardInterrupt:
    assert not solver.result.converged
with stopped._busy:
    expect_error(2, "its own Context", solver.run)

velocity, positions = whole.fields().velocity_m_s, lattice.positions  # the array keeps its fields
del whole, solver
assert velocity.shape == (lattice.cells, 3) and positions.shape == (lattice.cells, 3)
assert not portaflow.numpy or not (velocity.flags.owndata or positions.flags.owndata)
assert max(velocity[c, 2] for c in range(lattice.cells)) > 0.05
try:
    velocity[0, 0] = 1
    raise AssertionError("the array can be written")
except (TypeError, ValueError):
    pass

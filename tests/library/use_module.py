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

solver = portaflow.Solver(lattice, portaflow.Case(lattice, **flow))
expect_error(2, "no flow yet", solver.fields)
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
assert max(velocity[c, 2] for c in range(lattice.cells)) > 0.05
try:
    velocity[0, 0] = 1
    raise AssertionError("the array can be written")
except (TypeError, ValueError):
    pass

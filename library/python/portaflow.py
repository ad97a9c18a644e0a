# SPDX-License-Identifier: Apache-2.0
"""Portaflow in Python: steady and pulsatile blood flow on a lattice, over libportaflow (portaflow.h) by ctypes.

    import portaflow
    lattice = portaflow.Lattice("out/mesh/lattice.h5")
    case = portaflow.Case(lattice, flows={"IN": 1e-6}, pressures={"OUT": 0})
    solver = portaflow.Solver(lattice, case)
    solver.run()
    print(solver.openings["IN"].pressure_pa, solver.fields().velocity_m_s.max())

Units are SI, lengths of the lattice in mm, coordinates LPS. Arrays are NumPy arrays over the memory of the library,
without a copy and read-only; without NumPy they are memoryviews. An error raises portaflow.Error. The library is found in
PORTAFLOW_LIBRARY, beside the prefix of this module, or by the loader. Each object belongs to one thread at a time:
solvers that run in several threads need a Context each."""
import collections
import ctypes
import glob
import os
import threading
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_void_p

try:
    import numpy
except ImportError:
    numpy = None

Opening = collections.namedtuple("Opening", "flow_m3_s mean_velocity_m_s pressure_pa")
Result = collections.namedtuple(
    "Result", "converged unsteady steps residual flow_balance time_step_s relaxation_time reynolds velocity_max_m_s "
    "time_s period_s cycles cycle_change")


class Error(RuntimeError):
    """An error of the library; `status` is its pf_status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class _Array(ctypes.Structure):
    _fields_ = [("data", POINTER(c_float)), ("shape", c_int64 * 2), ("unit", c_char_p)]


class _Opening(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("flow", c_double), ("velocity", c_double), ("pressure", c_double)]


class _Result(ctypes.Structure):
    _fields_ = [("converged", c_int), ("unsteady", c_int), ("steps", c_int64)] + [
        (name, c_int if name == "cycles" else c_double) for name in Result._fields[3:]]


def _load():
    name, folder = "libportaflow.so.0", os.path.dirname(os.path.abspath(__file__))
    prefix = os.path.normpath(os.path.join(folder, "../../.."))  # PREFIX/lib/python3/dist-packages
    found = glob.glob(os.path.join(prefix, "lib*", name)) + glob.glob(os.path.join(prefix, "lib", "*", name))
    return ctypes.CDLL(os.environ.get("PORTAFLOW_LIBRARY") or (found or [name])[0])


_library = _load()


def _declare(name, result, *arguments):
    function = getattr(_library, "pf_" + name)
    function.restype, function.argtypes = result, arguments
    return function


_context_create = _declare("context_create", c_void_p)
_context_free = _declare("context_free", None, c_void_p)
_context_error = _declare("context_error", c_char_p, c_void_p)
_set_threads = _declare("context_set_threads", c_int, c_void_p, c_int)
_set_device = _declare("context_set_device", c_int, c_void_p, c_char_p)
_cancel = _declare("context_cancel", None, c_void_p)
_ON_MESSAGE = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p)
_ON_PROGRESS = ctypes.CFUNCTYPE(None, c_void_p, c_double, c_double, c_char_p)
_on_message = _declare("context_on_message", None, c_void_p, _ON_MESSAGE, c_void_p)
_on_progress = _declare("context_on_progress", None, c_void_p, _ON_PROGRESS, c_void_p)
_lumen_create = _declare("lumen_create", c_int, c_void_p, POINTER(c_float), c_int * 3, c_double * 3, c_double * 3,
                         POINTER(c_void_p))
_lumen_free = _declare("lumen_free", None, c_void_p)
_lattice_create = _declare("lattice_create", c_int, c_void_p, c_void_p, c_void_p, POINTER(c_void_p))
_lattice_read = _declare("lattice_read", c_int, c_void_p, c_char_p, POINTER(c_void_p))
_lattice_free = _declare("lattice_free", None, c_void_p)
_cells = _declare("lattice_cells", c_int64, c_void_p)
_spacing = _declare("lattice_spacing_mm", c_double, c_void_p)
_positions = _declare("lattice_positions", POINTER(c_int32), c_void_p)
_origin = _declare("lattice_origin_mm", None, c_void_p, c_double * 3)
_openings = _declare("lattice_openings", c_int, c_void_p)
_opening_name = _declare("lattice_opening_name", c_char_p, c_void_p, c_int)
_case_read = _declare("case_read", c_int, c_void_p, c_char_p, POINTER(c_char_p), c_int, POINTER(c_void_p))
_case_create = _declare("case_create", c_int, c_void_p, c_void_p, POINTER(c_void_p))
_case_free = _declare("case_free", None, c_void_p)
_set_flow = _declare("case_set_flow", c_int, c_void_p, c_void_p, c_char_p, c_double)
_set_waveform = _declare("case_set_flow_waveform", c_int, c_void_p, c_void_p, c_char_p, POINTER(c_double), POINTER(c_double),
                         c_int, c_double)
_set_pulsatile = _declare("case_set_pulsatile", c_int, c_void_p, c_void_p, c_int, c_int)
_set_pressure = _declare("case_set_pressure", c_int, c_void_p, c_void_p, c_char_p, c_double)
_set_blood = _declare("case_set_blood", c_int, c_void_p, c_void_p, c_double, c_double)
_set_collision = _declare("case_set_collision", c_int, c_void_p, c_void_p, c_char_p)
_set_precision = _declare("case_set_precision", c_int, c_void_p, c_void_p, c_char_p)
_set_tolerance = _declare("case_set_tolerance", c_int, c_void_p, c_void_p, c_double)
_solver_create = _declare("solver_create", c_int, c_void_p, c_void_p, c_void_p, POINTER(c_void_p))
_solver_free = _declare("solver_free", None, c_void_p)
_solver_run = _declare("solver_run", c_int, c_void_p, c_void_p, c_int64)
_solver_run_to = _declare("solver_run_to", c_int, c_void_p, c_void_p, c_double)
_solver_device = _declare("solver_device", c_char_p, c_void_p)
_solver_phases = _declare("solver_phases", c_int, c_void_p)
_get_result = _declare("solver_get_result", _Result, c_void_p)
_get_opening = _declare("solver_get_opening", _Opening, c_void_p, c_int)
_fields_create = _declare("fields_create", c_int, c_void_p, c_void_p, POINTER(c_void_p))
_fields_phase = _declare("fields_create_phase", c_int, c_void_p, c_void_p, c_int, POINTER(c_void_p))
_fields_time = _declare("fields_time_s", c_double, c_void_p)
_fields_free = _declare("fields_free", None, c_void_p)
_field = {name: _declare("fields_" + name, _Array, c_void_p) for name in ("pressure", "velocity", "stress", "temperature")}


class Context:
    """Number of threads, receivers of messages and progress, cancellation (pf_context)."""

    def __init__(self, threads=None, on_message=None, on_progress=None, device=None):
        """device: "auto" (default), "cpu", "cuda" or "cuda:N"; on_message(level, text), level 0 (debug) to 3 (serious warning); on_progress(share, remaining_s, note)."""
        self._free, self._handle = _context_free, _context_create()
        if not self._handle:
            raise MemoryError("not enough memory for a context")
        self._busy, self._raised = threading.Lock(), []
        if threads is not None:
            self.check(_set_threads(self._handle, threads))
        if device is not None:
            self.check(_set_device(self._handle, device.encode()))
        self._calls = []  # the library calls them: they live as long as the context
        if on_message:
            call = self._guard(lambda _, level, text: on_message(level, text.decode()))
            self._calls.append(_ON_MESSAGE(call))
            _on_message(self._handle, self._calls[-1], None)
        if on_progress:
            call = self._guard(lambda _, share, left, note: on_progress(share, left, note.decode()))
            self._calls.append(_ON_PROGRESS(call))
            _on_progress(self._handle, self._calls[-1], None)

    def _guard(self, function):
        """`function` for the library: an exception in it ends the run, and check() raises it."""
        raised, handle, busy = self._raised, self._handle, self._busy

        def call(*arguments):
            try:
                function(*arguments)
            except BaseException as error:  # also KeyboardInterrupt, which must not be lost
                raised.append(error)
                if busy.locked():
                    _cancel(handle)
        return call

    def check(self, status):
        if self._raised:
            error = self._raised[0]
            self._raised.clear()
            raise error
        if status != 0:
            raise Error(status, _context_error(self._handle).decode())

    def cancel(self):
        """Ends the running Solver.run, which raises Error with status 7. From any thread."""
        _cancel(self._handle)

    def __del__(self):
        if getattr(self, "_handle", None):
            self._free(self._handle)


class _Handle:
    """A handle of the library, freed with the object; it keeps its context."""

    def __init__(self, context, free, create, *arguments):
        self.context, self._free, self._handle = context, free, c_void_p()
        context.check(create(context._handle, *arguments, byref(self._handle)))

    def __del__(self):
        if getattr(self, "_handle", None):
            self._free(self._handle)


def _view(owner, pointer, shape, kind, letter):
    """An array of `shape` over the memory of `owner`, which lives as long as the array."""
    count = 1
    for n in shape:
        count *= n
    block = (kind * count).from_address(ctypes.addressof(pointer.contents))
    block.owner = owner
    if numpy is None:
        return memoryview(block).cast("B").cast(letter, shape).toreadonly()
    array = numpy.ctypeslib.as_array(block).reshape(shape)
    array.flags.writeable = False
    return array


class Lumen(_Handle):
    """The inside of a vessel. distance_mm [z][y][x]: signed distance to the wall, negative inside, on voxels of spacing_mm (x, y,
    z) along the LPS axes, with the centre of the first one at origin_mm. Needs NumPy."""

    def __init__(self, distance_mm, spacing_mm, origin_mm, context=None):
        values = numpy.ascontiguousarray(distance_mm, numpy.float32)
        if values.ndim != 3:
            raise ValueError(f"distance_mm has {values.ndim} axes; it must have 3: z, y, x")
        triple = c_double * 3
        super().__init__(context or Context(), _lumen_free, _lumen_create, values.ctypes.data_as(POINTER(c_float)),
                         (c_int * 3)(*values.shape[::-1]), triple(*spacing_mm), triple(*origin_mm))


class Lattice(_Handle):
    """The lattice that the program mesh wrote (source: its path), or a new one (source: a Case; lumen: a Lumen, or None for the
    shape of the case)."""

    def __init__(self, source, context=None, lumen=None):
        if isinstance(source, Case):
            super().__init__(context or source.context, _lattice_free, _lattice_create, lumen._handle if lumen else None,
                             source._handle)
        else:
            if lumen:
                raise ValueError("a lumen needs a Case as the source; the path of a lattice has its own vessel")
            super().__init__(context or Context(), _lattice_free, _lattice_read, os.fsencode(source))
        self.cells = _cells(self._handle)
        self.spacing_mm = _spacing(self._handle)
        origin = (c_double * 3)()
        _origin(self._handle, origin)
        self.origin_mm = tuple(origin)
        self.openings = [_opening_name(self._handle, k).decode() for k in range(_openings(self._handle))]

    @property
    def positions(self):
        """[cells][3] int32: centre of cell c in mm, LPS: origin_mm + spacing_mm * positions[c]"""
        return _view(self, _positions(self._handle), (self.cells, 3), c_int32, "i")


class Case(_Handle):
    """Conditions of a flow. source: a Lattice, or the path of a case.yaml with `settings` "KEY=VALUE"."""

    def __init__(self, source, settings=(), flows=None, pressures=None, density_kg_m3=None, viscosity_pa_s=None,
                 collision=None, precision=None, tolerance=None, context=None, waveforms=None, pulsatile=None):
        """flows: {opening: m3/s}, positive into an inlet and out of an outlet; pressures: {opening: Pa}. Density
        and viscosity: if one is given, the default of the other is 1060 kg/m3 or 3.5 mPa s. waveforms:
        {opening: (times in s, flows in m3/s, period in s)}; pulsatile: (smallest number of cycles, stored phases)."""
        if isinstance(source, Lattice):
            if settings:
                raise ValueError("settings change a case file; for a case of a Lattice use the other arguments")
            super().__init__(context or source.context, _case_free, _case_create, source._handle)
        else:
            texts = (c_char_p * len(settings))(*[text.encode() for text in settings])
            super().__init__(context or Context(), _case_free, _case_read, os.fsencode(source), texts, len(settings))
        for name, value in (flows or {}).items():
            self._set(_set_flow, name.encode(), value)
        for name, (times, values, period_s) in (waveforms or {}).items():
            if len(times) != len(values):
                raise ValueError(f"opening '{name}': {len(times)} times, but {len(values)} flows")
            numbers = c_double * len(times)
            self._set(_set_waveform, name.encode(), numbers(*times), numbers(*values), len(times), period_s)
        if pulsatile is not None:
            self._set(_set_pulsatile, *pulsatile)
        for name, value in (pressures or {}).items():
            self._set(_set_pressure, name.encode(), value)
        if density_kg_m3 is not None or viscosity_pa_s is not None:
            self._set(_set_blood, 1060 if density_kg_m3 is None else density_kg_m3,
                      3.5e-3 if viscosity_pa_s is None else viscosity_pa_s)
        if collision is not None:
            self._set(_set_collision, collision.encode())
        if precision is not None:
            self._set(_set_precision, precision.encode())
        if tolerance is not None:
            self._set(_set_tolerance, tolerance)

    def _set(self, setter, *values):
        self.context.check(setter(self.context._handle, self._handle, *values))


class Fields(_Handle):
    """Fields of a solver: pressure_pa [cells][1], velocity_m_s [cells][3], stress_pa [cells][6] (xx yy zz xy xz yz)."""

    def __init__(self, solver, phase=None):
        """phase: number of a stored phase of a pulsatile flow; None: the present flow"""
        create, more = (_fields_create, ()) if phase is None else (_fields_phase, (phase,))
        super().__init__(solver.context, _fields_free, create, solver._handle, *more)

    def _array(self, name):
        array = _field[name](self._handle)
        return _view(self, array.data, tuple(array.shape), c_float, "f") if array.data else None

    time_s = property(lambda self: _fields_time(self._handle))
    temperature_c = property(lambda self: self._array("temperature"))  # None without solve.heat
    pressure_pa = property(lambda self: self._array("pressure"))
    velocity_m_s = property(lambda self: self._array("velocity"))
    stress_pa = property(lambda self: self._array("stress"))


class Solver(_Handle):
    """One steady or pulsatile flow."""

    def __init__(self, lattice, case, context=None):
        super().__init__(context or lattice.context, _solver_free, _solver_create, lattice._handle, case._handle)
        self._names = lattice.openings

    def run(self, max_steps=0):
        """Runs until the flow is steady or periodic, or for about max_steps steps. Other Python threads run meanwhile."""
        self._run(_solver_run, max_steps)

    def run_to(self, time_s):
        """Runs a pulsatile flow up to time_s, since the start of the first cycle."""
        self._run(_solver_run_to, time_s)

    def _run(self, function, until):
        if not self.context._busy.acquire(blocking=False):
            raise Error(2, "another thread runs a solver in this context; give the solver of each thread its own Context")
        try:
            self.context.check(function(self.context._handle, self._handle, until))
        finally:
            self.context._busy.release()

    @property
    def result(self):
        found = _get_result(self._handle)
        return Result(*(getattr(found, name) for name in Result._fields))

    @property
    def openings(self):
        """{name: Opening}; the pressure drop from a to b is openings[a].pressure_pa - openings[b].pressure_pa"""
        found = [_get_opening(self._handle, k) for k in range(len(self._names))]
        return {name: Opening(o.flow, o.velocity, o.pressure) for name, o in zip(self._names, found)}

    device = property(lambda self: _solver_device(self._handle).decode())  # "cpu" or "cuda"
    phases = property(lambda self: _solver_phases(self._handle))  # number of stored phases

    def fields(self, phase=None):
        return Fields(self, phase)

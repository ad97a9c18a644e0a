#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finite-volume reference of a case with mesh.shape: tree, by OpenFOAM.

    finite_volume.py case.yaml OUT --cell 0.5 [--processes 2]

Builds the wall from the same segments, meshes it with snappyHexMesh, solves with simpleFoam (laminar, second order),
and prints pressures (Pa, against the opening HV) and mean wall shear stresses (Pa) as CSV.
Needs: openfoam, python3-numpy, python3-vtk9, python3-yaml (Debian 12).
"""
import argparse, os, re, shutil, subprocess, sys
import numpy as np
import vtk, yaml
from vtk.util import numpy_support as ns


def number(text):
    return float(str(text).split()[0])


def read_case(path):
    case = yaml.safe_load(open(path))
    tree = [(np.array(s["from"], float), np.array(s["to"], float), number(s["radius_from"]), number(s["radius_to"]))
            for s in case["mesh"]["shape"]["segments"]]
    return case, tree


def distance(tree, points):
    """Signed distance to the union of cylinders with round ends, mm (all segments here have one radius)."""
    best = np.full(len(points), np.inf)
    for a, b, ra, rb in tree:
        assert ra == rb
        d = b - a
        t = np.clip((points - a) @ d / (d @ d), 0, 1)
        best = np.minimum(best, np.linalg.norm(points - a - t[:, None] * d, axis=1) - ra)
    return best


def make_wall(case, tree, h):
    low, high = (np.array(case["mesh"]["box"][k], float) for k in ("low", "high"))
    low, high = low - 8.0413, high + 8  # an odd number: no grid point on the wall, so no degenerate triangle
    dims = np.ceil((high - low) / h).astype(int) + 1
    axes = [low[a] + h * np.arange(dims[a]) for a in range(3)]
    phi = np.full((dims[2], dims[1], dims[0]), 5.0, np.float32)
    for a, b, ra, rb in tree:  # near each segment only
        lo = np.maximum(((np.minimum(a, b) - ra - 3 * h - low) / h).astype(int), 0)
        hi = np.minimum(((np.maximum(a, b) + ra + 3 * h - low) / h).astype(int) + 2, dims)
        x, y, z = np.meshgrid(*(axes[k][lo[k]:hi[k]] for k in range(3)), indexing="ij")
        value = distance([(a, b, ra, rb)], np.stack([x, y, z], -1).reshape(-1, 3)).reshape(x.shape)
        part = phi[lo[2]:hi[2], lo[1]:hi[1], lo[0]:hi[0]]
        np.minimum(part, value.transpose(2, 1, 0), out=part)
    image = vtk.vtkImageData()
    image.SetDimensions(*(int(d) for d in dims))
    image.SetOrigin(*low)
    image.SetSpacing(h, h, h)
    image.GetPointData().SetScalars(ns.numpy_to_vtk(phi.ravel(), deep=True))
    contour = vtk.vtkFlyingEdges3D()
    contour.SetInputData(image)
    contour.SetValue(0, 0)
    contour.ComputeNormalsOff()
    contour.Update()
    return contour.GetOutput()


def write_wall(poly, path):
    """Triangles with shared points: an STL file repeats the points, and OpenFOAM may then find the wall open."""
    x = ns.vtk_to_numpy(poly.GetPoints().GetData())
    t = ns.vtk_to_numpy(poly.GetPolys().GetData()).reshape(-1, 4)[:, 1:] + 1
    with open(path, "w") as f:
        f.write("g wall\n" + "".join("v %.4f %.4f %.4f\n" % tuple(q) for q in x))
        f.write("".join("f %d %d %d\n" % tuple(q) for q in t))


def write_stl(poly, path):
    w = vtk.vtkSTLWriter()
    w.SetInputData(poly)
    w.SetFileName(path)
    w.SetFileTypeToBinary()
    w.Write()


def disc(point, normal, radius):
    s = vtk.vtkRegularPolygonSource()
    s.SetNumberOfSides(72)
    s.SetCenter(*point)
    s.SetNormal(*normal)
    s.SetRadius(radius)
    f = vtk.vtkTriangleFilter()
    f.SetInputConnection(s.GetOutputPort())
    f.Update()
    return f.GetOutput()


os.environ.setdefault("WM_PROJECT_DIR", "/usr/share/openfoam")  # Debian's package sets none

HEAD = "FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n"


def put(root, path, kind, text):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    open(full, "w").write(HEAD.format(kind, os.path.basename(path)) + text)


def run(root, command):
    with open(os.path.join(root, "log." + command.split()[0]), "a") as log:
        r = subprocess.run(command.split(), cwd=root, stdout=log, stderr=subprocess.STDOUT)
    if r.returncode:
        sys.exit(f"{command}: exit {r.returncode}, see {log.name}")


def openings_of(case, tree):
    out = []
    for o in case["openings"]:
        p = np.array(o["point"], float)
        radius = min((np.linalg.norm(np.cross(p - a, b - a)) / np.linalg.norm(b - a), ra) for a, b, ra, _ in tree
                     if -1 < (p - a) @ (b - a) / ((b - a) @ (b - a)) < 1.01)[1]
        flow = number(o["flow"]) / 60000 if "flow" in o else None  # L/min to m3/s
        out.append((o["name"], o["role"], p, np.array(o["normal"], float), radius, flow))
    return out


def make_mesh(root, case, tree, openings, cell):
    os.makedirs(os.path.join(root, "constant/triSurface"), exist_ok=True)
    write_wall(make_wall(case, tree, 0.2), os.path.join(root, "constant/triSurface/wall.obj"))
    low, high = (np.array(case["mesh"]["box"][k], float) for k in ("low", "high"))
    n = np.ceil((high - low) / (4 * cell)).astype(int)  # refined twice in the lumen
    high = low + 4 * cell * n
    corner = lambda i: "(%g %g %g)" % tuple((high if i >> a & 1 else low)[a] for a in range(3))
    put(root, "system/blockMeshDict", "dictionary",
        "scale 1; vertices (" + " ".join(corner(i) for i in (0, 1, 3, 2, 4, 5, 7, 6)) + ");\n"
        "blocks (hex (0 1 2 3 4 5 6 7) (%d %d %d) simpleGrading (1 1 1)); edges (); boundary ();\n" % tuple(n))
    geometry, features = "wall.obj { type triSurfaceMesh; name wall; }\n", ""
    refine = "wall { level (2 2); patchInfo { type wall; } }\n"
    for name, _, p, normal, radius, _ in openings:
        write_stl(disc(p, normal, 1.3 * radius), os.path.join(root, f"constant/triSurface/{name}.stl"))
        geometry += f"{name}.stl {{ type triSurfaceMesh; name {name}; }}\n"
        refine += f"{name} {{ level (2 2); patchInfo {{ type patch; }} }}\n"
        u = np.cross(normal, [0.3, 0.5, 0.8])
        u /= np.linalg.norm(u)
        v = np.cross(normal, u)
        ring = [p + radius * (np.cos(a) * u + np.sin(a) * v) for a in 2 * np.pi * np.arange(90) / 90]
        os.makedirs(os.path.join(root, "constant/triSurface"), exist_ok=True)
        put(root, f"constant/triSurface/{name}.eMesh", "featureEdgeMesh",
            "%d (%s)\n%d (%s)\n" % (len(ring), " ".join("(%.6f %.6f %.6f)" % tuple(q) for q in ring), len(ring),
                                    " ".join("(%d %d)" % (i, (i + 1) % len(ring)) for i in range(len(ring)))))
        features += f'{{ file "{name}.eMesh"; level 2; }}\n'
    inside = (tree[6][0] + tree[6][1]) / 2 + [0.0137, 0.0071, 0.0191]
    put(root, "system/snappyHexMeshDict", "dictionary", f"""
castellatedMesh true; snap true; addLayers true;
geometry {{ {geometry} }}
castellatedMeshControls {{ maxLocalCells 10000000; maxGlobalCells 20000000; minRefinementCells 0; nCellsBetweenLevels 2;
  features ( {features} ); refinementSurfaces {{ {refine} }} resolveFeatureAngle 30;
  refinementRegions {{ wall {{ mode inside; levels ((1e15 2)); }} }}
  locationInMesh ({inside[0]} {inside[1]} {inside[2]}); allowFreeStandingZoneFaces false; }}
snapControls {{ nSmoothPatch 5; tolerance 2; nSolveIter 100; nRelaxIter 8; nFeatureSnapIter 15;
  implicitFeatureSnap false; explicitFeatureSnap true; multiRegionFeatureSnap true; }}
addLayersControls {{ relativeSizes true; layers {{ wall {{ nSurfaceLayers 3; }} }} expansionRatio 1.2;
  finalLayerThickness 0.4; minThickness 0.05; nGrow 0; featureAngle 130; nRelaxIter 5; nSmoothSurfaceNormals 3;
  nSmoothNormals 5; nSmoothThickness 10; maxFaceThicknessRatio 0.5; maxThicknessToMedialRatio 0.4;
  minMedianAxisAngle 90;
  nBufferCellsNoExtrude 0; nLayerIter 50; slipFeatureAngle 30; }}
meshQualityControls {{ maxNonOrtho 65; maxBoundarySkewness 20; maxInternalSkewness 4; maxConcave 80; minVol 1e-13;
  minTetQuality 1e-15; minArea -1; minTwist 0.02; minDeterminant 0.001; minFaceWeight 0.05; minVolRatio 0.01;
  minTriangleTwist -1; nSmoothScale 4; errorReduction 0.75; relaxed {{ maxNonOrtho 75; }} }}
mergeTolerance 1e-6;
""")
    # "Gauss linear" gradients are of first order only on the skew faces between layers and hexahedra
    put(root, "system/fvSchemes", "dictionary", """
ddtSchemes { default steadyState; } gradSchemes { default pointCellsLeastSquares; }
divSchemes { default none; div(phi,U) bounded Gauss linearUpwind grad(U); div((nuEff*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; } interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
""")
    put(root, "system/fvSolution", "dictionary", """
solvers { p { solver GAMG; smoother GaussSeidel; tolerance 1e-12; relTol 0.02; }
  U { solver PBiCGStab; preconditioner DILU; tolerance 1e-14; relTol 0.02; } }
SIMPLE { consistent yes; nNonOrthogonalCorrectors 1; residualControl { p 2e-6; U 1e-7; } }
relaxationFactors { equations { U 0.7; } fields { p 0.5; } }
""")
    put(root, "system/controlDict", "dictionary", control("", 1))
    run(root, "blockMesh")
    run(root, "snappyHexMesh -overwrite")


def control(functions, last):
    return f"""application simpleFoam; startFrom startTime; startTime 0; stopAt endTime; endTime {last}; deltaT 1;
writeControl timeStep; writeInterval {last}; purgeWrite 1; writeFormat ascii; writePrecision 12; timeFormat general;
functions {{ {functions} }}
"""


def read_list(path):
    text = open(path).read()
    return text[text.index("}") + 1:]


def read_boundary(root):
    mesh = os.path.join(root, "constant/polyMesh")
    rows = re.findall(r"\(([-+\d.eE]+) ([-+\d.eE]+) ([-+\d.eE]+)\)", read_list(mesh + "/points"))
    point = np.array(rows, float)
    face = [np.array(f.split(), int) for f in re.findall(r"\d+\(([\d ]+)\)", read_list(mesh + "/faces"))]
    patch = {m[0]: (int(m[2]), int(m[1])) for m in
             re.findall(r"(\w+)\s*\{[^}]*?nFaces\s+(\d+);\s*startFace\s+(\d+);", read_list(mesh + "/boundary"))}
    return point, face, patch


def centre_and_area(point, face):
    p = point[face]
    m = p.mean(0)
    a = np.cross(p - m, np.roll(p, -1, 0) - m) / 2
    w = np.linalg.norm(a, axis=1)
    c = ((p + np.roll(p, -1, 0) + m) / 3 * w[:, None]).sum(0) / w.sum()
    return c, a.sum(0)


def write_fields(root, case, openings):
    """Parabolic velocity with the given flow at every opening but the one with a pressure. Lengths are m here."""
    point, face, patch = read_boundary(root)
    u, p = "wall { type noSlip; }\n", "wall { type zeroGradient; }\n"
    for name, role, at, normal, radius, flow in openings:
        if flow is None:
            u += f"{name} {{ type pressureInletOutletVelocity; value uniform (0 0 0); }}\n"
            p += f"{name} {{ type fixedValue; value uniform 0; }}\n"
            continue
        first, count = patch[name]
        c, a = map(np.array, zip(*(centre_and_area(point, face[first + i]) for i in range(count))))
        d = c - 1e-3 * at
        r2 = ((d - np.outer(d @ normal, normal)) ** 2).sum(1) / (1e-3 * radius) ** 2
        speed = np.maximum(1 - r2, 0)
        speed *= flow / (speed * np.linalg.norm(a, axis=1)).sum() * (-1 if role == "inlet" else 1)
        u += "%s { type fixedValue; value nonuniform List<vector> %d (%s); }\n" % (
            name, count, " ".join("(%.9g %.9g %.9g)" % tuple(s * normal) for s in speed))
        p += f"{name} {{ type zeroGradient; }}\n"
    put(root, "0/U", "volVectorField",
        "dimensions [0 1 -1 0 0 0 0]; internalField uniform (0 0 0); boundaryField { " + u + "}\n")
    put(root, "0/p", "volScalarField",
        "dimensions [0 2 -2 0 0 0 0]; internalField uniform 0; boundaryField { " + p + "}\n")
    nu = number(case["blood"]["viscosity"]) * 1e-3 / number(case["blood"]["density"])
    put(root, "constant/transportProperties", "dictionary",
        f"transportModel Newtonian; nu [0 2 -1 0 0 0 0] {nu:.9g};\n")
    put(root, "constant/turbulenceProperties", "dictionary", "simulationType laminar;\n")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("case")
    a.add_argument("out")
    a.add_argument("--cell", type=float, default=0.5)
    a.add_argument("--processes", type=int, default=1)
    a = a.parse_args()
    case, tree = read_case(a.case)
    openings = openings_of(case, tree)
    if not os.path.exists(os.path.join(a.out, "constant/polyMesh/faces.done")):
        shutil.rmtree(a.out, ignore_errors=True)
        make_mesh(a.out, case, tree, openings, a.cell)
        run(a.out, "transformPoints -scale 0.001")
        open(os.path.join(a.out, "constant/polyMesh/faces.done"), "w").close()
    write_fields(a.out, case, openings)
    rho = number(case["blood"]["density"])
    functions = "wss { type wallShearStress; libs (fieldFunctionObjects); patches (wall); writeControl writeTime; }\n"
    for o in openings:
        functions += (f"{o[0]} {{ type surfaceFieldValue; libs (fieldFunctionObjects); regionType patch; name {o[0]}; "
                      "operation areaAverage; fields (p); writeFields false; log false; }\n")
    put(a.out, "system/controlDict", "dictionary", control(functions, 450))
    if not os.path.exists(os.path.join(a.out, "postProcessing")):
        run(a.out, "simpleFoam")
    report(a.out, case, openings, rho)


def read_interior(root):
    open(os.path.join(root, "case.foam"), "w").close()
    r = vtk.vtkOpenFOAMReader()
    r.SetFileName(os.path.join(root, "case.foam"))
    r.CreateCellToPointOn()
    r.DecomposePolyhedraOn()
    r.UpdateInformation()
    times = r.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    r.UpdateTimeStep(times[-1])
    r.Update()
    return r.GetOutput().GetBlock(0)


def mean_over_section(grid, at, normal):
    """Area mean of the pressure over the part of a plane that belongs to the vessel at a point."""
    plane = vtk.vtkPlane()
    plane.SetOrigin(*at)
    plane.SetNormal(*normal)
    cut = vtk.vtkCutter()
    cut.SetInputData(grid)
    cut.SetCutFunction(plane)
    clean = vtk.vtkCleanPolyData()
    clean.SetInputConnection(cut.GetOutputPort())
    part = vtk.vtkPolyDataConnectivityFilter()
    part.SetInputConnection(clean.GetOutputPort())
    part.SetExtractionModeToClosestPointRegion()
    part.SetClosestPoint(*at)
    triangles = vtk.vtkTriangleFilter()
    triangles.SetInputConnection(part.GetOutputPort())
    triangles.Update()
    out = triangles.GetOutput()
    x = ns.vtk_to_numpy(out.GetPoints().GetData()).astype(float)
    p = ns.vtk_to_numpy(out.GetPointData().GetArray("p")).astype(float)
    t = ns.vtk_to_numpy(out.GetPolys().GetData()).reshape(-1, 4)[:, 1:]
    w = np.linalg.norm(np.cross(x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]]), axis=1) / 2
    return (p[t].mean(1) * w).sum() / w.sum()


def report(root, case, openings, rho):
    values = lambda name: open(os.path.join(root, "postProcessing", name, "0/surfaceFieldValue.dat")).read().split()
    last = lambda name: float(values(name)[-1])
    for name in [o[0] for o in openings]:
        print(f"{name},{rho * last(name):.3f}")
    grid = read_interior(root)
    for s in case["sections"]:
        print(f"{s['name']},{rho * mean_over_section(grid, 1e-3 * np.array(s['point'], float), s['normal']):.3f}")
    times = sorted((float(t), t) for t in os.listdir(root) if re.fullmatch(r"\d+", t) and t != "0")
    point, face, patch = read_boundary(root)
    first, count = patch["wall"]
    text = open(os.path.join(root, times[-1][1], "wallShearStress")).read()
    text = text[text.index("wall\n"):] if "wall\n" in text else text[text.index("    wall"):]
    rows = re.findall(r"\(([-+\d.eE]+) ([-+\d.eE]+) ([-+\d.eE]+)\)", text)[:count]
    wss = rho * np.linalg.norm(np.array(rows, float), axis=1)
    c, a = map(np.array, zip(*(centre_and_area(point, face[first + i]) for i in range(count))))
    area = np.linalg.norm(a, axis=1)
    where = {s["name"]: (1e-3 * np.array(s["point"], float), np.array(s["normal"], float)) for s in case["sections"]}
    print(f"wall,{(wss * area).sum() / area.sum():.4f}")
    stent = ((c - where["S1"][0]) @ where["S1"][1] > 0) & ((c - where["S3"][0]) @ where["S3"][1] < 0)
    stent &= np.linalg.norm(c - where["S2"][0], axis=1) < 25e-3
    print(f"stent_wall,{(wss * area)[stent].sum() / area[stent].sum():.4f}")
    print(f"area_mm2,{1e6 * area.sum():.1f}")


main()

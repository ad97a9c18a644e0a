#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the pictures of the walks in GUIDE.md from synthetic patients: walk-mask.png, walk-carotid.png, walk-flow.png.

usage: walks.py BIN_DIR WORK_DIR OUT_DIR     (needs numpy and PIL; some minutes)

Runs the commands of the walks in WORK_DIR. No program draws phase-contrast MRI, so `draw_cine` makes one: the superior
mesenteric vein with the waveform of the phantom's case and a parabolic profile, in still tissue, with air and noise."""
import os
import struct
import subprocess
import sys

import numpy as np
from PIL import Image

BIN, WORK, OUT = (os.path.abspath(p) for p in sys.argv[1:])
HEIGHT, GREYS = 400, 64
PERIOD_S, VENC_CM_S, PHASES, WIDE, PIXEL_MM, RADIUS_MM, SNR = 0.86, 40, 24, 96, 1.0, 5.0, 20


def run(*words):
    subprocess.run([os.path.join(BIN, words[0]), *words[1:]], cwd=WORK, check=True)


def write_nifti(path, values):
    """NIfTI-1 of one slice over time; values [time][y][x], or [y][x] for a mask."""
    a = np.asarray(values, "<i2")
    n_time = a.shape[0] if a.ndim == 3 else 1
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 4, WIDE, WIDE, 1, n_time, 1, 1, 1)
    struct.pack_into("<2h", head, 70, 4, 16)  # int16
    struct.pack_into("<5f", head, 76, 1, PIXEL_MM, PIXEL_MM, 5, PERIOD_S / PHASES)
    struct.pack_into("<2f", head, 108, 352, 1)
    struct.pack_into("<B", head, 123, 2 | 8)  # mm, s
    struct.pack_into("<2h", head, 252, 0, 1)
    struct.pack_into("<12f", head, 280, PIXEL_MM, 0, 0, 0, 0, PIXEL_MM, 0, 0, 0, 0, 5, 0)
    head[344:348] = b"n+1\0"
    with open(os.path.join(WORK, path), "wb") as f:
        f.write(bytes(head) + a.tobytes())


def draw_cine():
    """Phase (-4096 to 4095), magnitude and mask of the vessel."""
    random = np.random.default_rng(1)
    t_s, flow_ml_s = np.loadtxt(os.path.join(WORK, "ct/flow/smv.csv"), delimiter=",", skiprows=1).T
    centre = (WIDE - 1) / 2
    y, x = np.mgrid[:WIDE, :WIDE]
    r_mm = PIXEL_MM * np.hypot(x - centre, y - centre)
    magnitude = np.where(np.hypot((x - centre) / 46, (y - centre) / 38) < 1, 0.6, 0.0)
    magnitude[r_mm < RADIUS_MM] = 1
    profile = np.maximum(0, 1 - (r_mm / RADIUS_MM) ** 2)
    profile /= profile.sum() * (PIXEL_MM / 10) ** 2  # cm/s of 1 mL/s
    phase, seen = [], []
    for k in range(PHASES):
        flow = np.interp(k * PERIOD_S / PHASES, np.append(t_s, PERIOD_S), np.append(flow_ml_s, flow_ml_s[0]))
        velocity = flow * profile + 0.6 * (x - centre) / centre  # the second term: an error of the background
        signal = magnitude * np.exp(1j * np.pi * velocity / VENC_CM_S)
        signal = signal + random.normal(0, 1 / SNR, (2, WIDE, WIDE)).T @ np.array([1, 1j])
        phase.append(np.angle(signal) / np.pi * 4095)
        seen.append(1000 * np.abs(signal))
    write_nifti("phase.nii", np.array(phase))
    write_nifti("magnitude.nii", np.array(seen))
    write_nifti("roi.nii", r_mm < RADIUS_MM)


def part(path, box=None):
    """A picture, or the part of it in box (left, top, right, bottom; shares of its size), HEIGHT high."""
    picture = Image.open(os.path.join(WORK, path)).convert("RGB")
    w, h = picture.size
    if box:
        picture = picture.crop([round(b * (w, h)[k % 2]) for k, b in enumerate(box)])
    return picture.resize((round(picture.width * HEIGHT / picture.height), HEIGHT), Image.LANCZOS)


def join(name, *parts):
    whole = Image.new("RGB", (sum(p.width for p in parts), HEIGHT), "white")
    left = 0
    for p in parts:
        whole.paste(p, (left, 0))
        left += p.width
    palette = whole.quantize(256 - GREYS, Image.Quantize.FASTOCTREE)  # and greys, of which it has few
    palette.putpalette(palette.getpalette()[:3 * (256 - GREYS)] + [k * 255 // (GREYS - 1) for k in range(GREYS) for _ in range(3)])
    whole.quantize(palette=palette, dither=Image.Dither.NONE).save(os.path.join(OUT, name), optimize=True)


CORONAL, FRONT, BAR = (0.505, 0.046, 0.989, 0.487), (0, 0.1, 0.43, 0.99), (0.86, 0.1, 1, 0.99)
os.makedirs(WORK, exist_ok=True)
run("phantom", "--kind", "portal", "--scanner", "ct-portal", "--out", "ct")
run("pipeline", "run", "ct", "--fast", "--set", "segment.method=labels", "--set", "segment.labels.path=truth/mask.nii.gz")
join("walk-mask.png", part("ct/out/segment/qc.png", CORONAL), *(part("ct/out/post/figures/pressure.png", b) for b in (FRONT, BAR)))
run("phantom", "--kind", "carotid", "--spacing", "0.6", "--out", "neck")
run("pipeline", "run", "neck", "--fast")
join("walk-carotid.png", part("neck/out/segment/qc.png", CORONAL), *(part("neck/out/post/figures/wss.png", b) for b in (FRONT, BAR)))
draw_cine()
run("pipeline", "flow", "--phase", "phase.nii", "--magnitude", "magnitude.nii", "--venc", f"{VENC_CM_S}cm/s", "--period", f"{PERIOD_S}s",
    "--roi", "roi.nii", "--out", "smv.csv")
run("phantom", "--kind", "portal", "--pulsatile", "--out", "pulse")
run("pipeline", "run", "pulse", "--fast", "--set", "solve.mode=pulsatile")
join("walk-flow.png", part("smv-roi.png"), part("smv.png"), *(part("pulse/out/post/figures/wss.png", b) for b in (FRONT, BAR)))

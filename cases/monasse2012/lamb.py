#!/usr/bin/env python3
"""Lamb's problem in the plane: displacements of an elastic half-plane under a line force with the time function of
Ricker.
Writes lamb.csv: displacement in m per N/m, x along the surface, z upward, the force downward.

    python3 lamb.py > lamb.csv        (some minutes)

Source and receiver on the surface: Cagniard's closed form of the step response (e.g. Aki & Richards, chapter 6),
convolved with the force; its pole at the Rayleigh wave is taken as a principal value. Within the half-plane: the
integral over wave numbers and frequencies, with frequencies a little below the real axis. The two agree to 0.7 % for
points 0.25 m deep, a difference that is proportional to depth.

A cell that is h wide feels a force at its centre at the depth h/2 and moves as the point there: columns _h have the
source at h/2 and the receiver at h/2 below x = 300 m (u), or in the cell nearest to 300 m under 60 degrees (w). On a
random mesh the cells are where they are: columns _rSEED_h have the points of lamb-random.csv, the seeds of the cells
nearest to these places; _pSEED_h, for the paper's normal, their centres."""
import cmath
import csv
import math
import os
import sys

RHO, NU, E = 2200.0, 0.25, 1.88e10
F0, T0 = 14.5, 0.1
MU, LAMBDA = E / 2 / (1 + NU), E * NU / (1 + NU) / (1 - 2 * NU)
CP, CS = math.sqrt((LAMBDA + 2 * MU) / RHO), math.sqrt(MU / RHO)
A, B = 1 / CP, 1 / CS


def ricker(t):
    a = (math.pi * F0 * (t - T0)) ** 2
    return (1 - 2 * a) * math.exp(-a)


def rayleigh(q):
    """Rayleigh's function at slowness q > 1/cs."""
    return (B * B - 2 * q * q) ** 2 - 4 * q * q * math.sqrt(q * q - A * A) * math.sqrt(q * q - B * B)


def rayleigh_slowness():
    low, high = B * 1.0001, B * 1.5
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if rayleigh(low) * rayleigh(middle) > 0 else (low, middle)
    return low


def surface(x, times, step=2e-5):
    """(ux, uz) at the surface, a distance x from the force."""
    pole = rayleigh_slowness()
    arrival, first = x * pole, x / CP
    # midpoints that lie alike on both sides of the pole: the principal value
    before, after = int((arrival - first) / step) + 1, int((max(times) - arrival) / step) + 2
    taus = [arrival + (k + 0.5) * step for k in range(-before, max(after, 1))]
    taus = [tau for tau in taus if tau > first]
    response = []
    for tau in taus:
        q = tau / x
        p, s = cmath.sqrt(A * A - q * q), cmath.sqrt(B * B - q * q)
        full = (B * B - 2 * q * q) ** 2 + 4 * q * q * p * s
        down = -(B * B * p / full).imag / (math.pi * MU * x)
        along = -(q * ((B * B - 2 * q * q) - 2 * p * s) / full).imag / (math.pi * MU * x)
        response.append((tau, down, along))
    h = 1e-6 * pole
    slope = (rayleigh(pole + h) - rayleigh(pole - h)) / (2 * h)
    residue = pole * ((B * B - 2 * pole**2) + 2 * math.sqrt(pole**2 - A * A) * math.sqrt(pole**2 - B * B))
    ux, uz = [], []
    for t in times:
        forces = [(ricker(t - tau), down, along) for tau, down, along in response]
        uz.append(-step * sum(f * down for f, down, along in forces))
        ux.append(step * sum(f * along for f, down, along in forces) - residue / (MU * slope) * ricker(t - arrival))
    return ux, uz


def spectra(x, depth, source, span, top, dk):
    """Of (ux, uz) at (x, depth) of a force at (0, source), at frequencies a little below the real axis."""
    shift = 8 / span
    steps = int(min(max(0.6, 22 / (depth + source)), 12) / dk)
    ks = [(k + 0.5) * dk for k in range(steps)]
    for n in range(int(top * span) + 1):
        w = 2 * math.pi * n / span - 1j * shift
        force = sum(ricker(k * 5e-4) * cmath.exp(-1j * w * k * 5e-4) for k in range(800)) * 5e-4
        kp, kt = (w / CP) ** 2, (w / CS) ** 2
        c = 1 / (2 * MU * kt)
        sign = math.copysign(1, depth - source) if depth != source else 0
        sum_x = sum_z = 0
        for k in ks:
            p, s = cmath.sqrt(k * k - kp), cmath.sqrt(k * k - kt)
            # the force in full space: at the receiver, and its stress at the surface
            es, ep = cmath.exp(-s * abs(depth - source)), cmath.exp(-p * abs(depth - source))
            iz = c * (k * k / s * es - p * ep)
            ix = -1j * c * k * sign * (es - ep)
            es, ep = cmath.exp(-s * source), cmath.exp(-p * source)
            dz = c * (k * k * es - p * p * ep)
            normal = -LAMBDA * k * k * c * (es - ep) + (LAMBDA + 2 * MU) * dz
            shear = 1j * MU * c * k * (s * es - p * ep + k * k / s * es - p * ep)
            # potentials that take it away
            m11, m12 = -LAMBDA * kp + 2 * MU * p * p, -2j * MU * k * s
            m21, m22 = -2j * MU * k * p, -MU * (s * s + k * k)
            det = m11 * m22 - m12 * m21
            a, b = (-normal * m22 + shear * m12) / det, (-m11 * shear + m21 * normal) / det
            es, ep = cmath.exp(-s * depth), cmath.exp(-p * depth)
            sum_z += (iz - p * a * ep + 1j * k * b * es) * math.cos(k * x)
            sum_x += (ix + 1j * k * a * ep + s * b * es) * 1j * math.sin(k * x)
        yield w.real, force * sum_x * dk / math.pi, force * sum_z * dk / math.pi


def inside(x, depth, source, times, span=1.6, top=60.0, dk=4e-4):
    """(ux, uz) at (x, depth) of a force at (0, source); depth + source > 0."""
    lines = list(spectra(x, depth, source, span, top, dk))
    ux, uz = [], []
    for t in times:
        back = math.exp(8 / span * t) * 2 / span
        phases = [(0.5 if n == 0 else 1) * cmath.exp(1j * line[0] * t) for n, line in enumerate(lines)]
        ux.append(back * sum(phase * line[1] for phase, line in zip(phases, lines)).real)
        uz.append(-back * sum(phase * line[2] for phase, line in zip(phases, lines)).real)
    return ux, uz


def points():
    """Rows of lamb-random.csv: name, and x and depth of the source, of the receivers at the surface and inside."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lamb-random.csv")) as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            yield row["name"], *(float(row[k]) for k in ("sx", "sd", "ux", "ud", "wx", "wd"))


def main():
    t = [k * 1e-3 for k in range(421)]
    columns = {"t": t}  # amplitudes are 1e-11
    columns["ux"], columns["uz"] = surface(300.0, t)
    for h in (10.0, 5.0, 2.5):
        name = f"{h:g}".replace(".", "_")
        columns["ux_" + name], columns["uz_" + name] = inside(300.0, h / 2, h / 2, t)
        row, column = round(300 * math.sin(math.pi / 3) / h - 0.5), round(150 / h)
        columns["wz_" + name] = inside(column * h, (row + 0.5) * h, h / 2, t)[1]
    for name, sx, sd, ux, ud, wx, wd in points():
        if ux > 0:
            columns["uz_" + name] = inside(ux - sx, ud, sd, t)[1]
        columns["wz_" + name] = inside(wx - sx, wd, sd, t)[1]
    print("# Lamb's problem: see lamb.py")
    print(",".join(columns))
    for k in range(len(t)):
        print(",".join("%.5g" % (v[k] if abs(v[k]) > 1e-16 else 0) for v in columns.values()))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Lamb's problem in the plane: displacements of an elastic half-plane under a line force with the time function of Ricker.
Writes lamb.csv: displacement in m per N/m, x along the surface, z upward, the force downward.

    python3 lamb.py > lamb.csv        (needs numpy; a minute)

Source and receiver on the surface: Cagniard's closed form of the step response (e.g. Aki & Richards, chapter 6),
convolved with the force; its pole at the Rayleigh wave is taken as a principal value. Within the half-plane: the
integral over wave numbers and frequencies, with frequencies a little below the real axis. The two agree to 0.7 % for
points 0.25 m deep, a difference that is proportional to depth.

A cell that is h wide feels a force at its centre at the depth h/2 and moves as the point there: columns _h have the
source at h/2 and the receiver at h/2 below x = 300 m (u), or in the cell nearest to 300 m under 60 degrees (w)."""
import sys
import numpy as np

RHO, NU, E = 2200.0, 0.25, 1.88e10
F0, T0 = 14.5, 0.1
MU, LAMBDA = E / 2 / (1 + NU), E * NU / (1 + NU) / (1 - 2 * NU)
CP, CS = np.sqrt((LAMBDA + 2 * MU) / RHO), np.sqrt(MU / RHO)
A, B = 1 / CP, 1 / CS
# centres (x, depth) of the cells that are hit and listened to on the random meshes of lamb-random.yaml, h = 10 and 5
RANDOM = (
    ("random_10", (-0.4752, 4.4746), (299.1877, 6.4522), (148.6079, 264.8494)),
    ("random_5", (-0.3555, 2.8727), (299.8693, 3.1761), (150.2317, 257.2551)),
)


def ricker(t):
    a = (np.pi * F0 * (t - T0)) ** 2
    return (1 - 2 * a) * np.exp(-a)


def rayleigh(q):
    """Rayleigh's function at slowness q > 1/cs."""
    return (B * B - 2 * q * q) ** 2 - 4 * q * q * np.sqrt(q * q - A * A) * np.sqrt(q * q - B * B)


def rayleigh_slowness():
    low, high = B * 1.0001, B * 1.5
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if rayleigh(low) * rayleigh(middle) > 0 else (low, middle)
    return low


def surface(x, t, step=2e-5):
    """(ux, uz) at the surface, a distance x from the force."""
    pole = rayleigh_slowness()
    arrival, first = x * pole, x / CP
    # midpoints that lie alike on both sides of the pole: the principal value
    before, after = int((arrival - first) / step) + 1, int((t.max() - arrival) / step) + 2
    tau = arrival + (np.arange(-before, max(after, 1)) + 0.5) * step
    tau = tau[tau > first]
    q = tau / x
    p = np.sqrt((A * A - q * q).astype(complex))
    s = np.sqrt((B * B - q * q).astype(complex))
    full = (B * B - 2 * q * q) ** 2 + 4 * q * q * p * s
    down = -np.imag(B * B * p / full) / (np.pi * MU * x)
    along = -np.imag(q * ((B * B - 2 * q * q) - 2 * p * s) / full) / (np.pi * MU * x)
    force = ricker(t[:, None] - tau[None, :])
    uz, ux = force @ down * step, force @ along * step
    h = 1e-6 * pole
    slope = (rayleigh(pole + h) - rayleigh(pole - h)) / (2 * h)
    residue = pole * ((B * B - 2 * pole**2) + 2 * np.sqrt(pole**2 - A * A) * np.sqrt(pole**2 - B * B))
    ux -= residue / (MU * slope) * ricker(t - arrival)
    return ux, -uz


def inside(x, depth, source, t, span=1.6, top=60.0, dk=4e-4):
    """(ux, uz) at (x, depth) of a force at (0, source); depth + source > 0."""
    shift = 8 / span
    count = int(top * span) + 1
    omega = 2 * np.pi * np.arange(count) / span - 1j * shift
    k = (np.arange(int(min(max(0.6, 22 / (depth + source)), 12) / dk)) + 0.5) * dk
    ts = np.arange(0, 0.4, 5e-4)
    uz, ux = np.zeros(count, complex), np.zeros(count, complex)
    for i, w in enumerate(omega):
        force = np.sum(ricker(ts) * np.exp(-1j * w * ts)) * 5e-4
        kp, ks = (w / CP) ** 2, (w / CS) ** 2
        p, s = np.sqrt(k * k - kp + 0j), np.sqrt(k * k - ks + 0j)
        c = 1 / (2 * MU * ks)
        # the force in full space: at the receiver, and its stress at the surface
        es, ep = np.exp(-s * abs(depth - source)), np.exp(-p * abs(depth - source))
        iz = c * (k * k / s * es - p * ep)
        ix = c * 1j * k * -np.sign(depth - source) * (es - ep)
        es, ep = np.exp(-s * source), np.exp(-p * source)
        dz = c * (k * k * es - p * p * ep)
        normal = LAMBDA * (1j * k * c * 1j * k * (es - ep) + dz) + 2 * MU * dz
        shear = MU * (c * 1j * k * (s * es - p * ep) + 1j * k * c * (k * k / s * es - p * ep))
        # potentials that take it away
        m11, m12 = -LAMBDA * kp + 2 * MU * p * p, -2j * MU * k * s
        m21, m22 = -2j * MU * k * p, -MU * (s * s + k * k)
        det = m11 * m22 - m12 * m21
        a, b = (-normal * m22 + shear * m12) / det, (-m11 * shear + m21 * normal) / det
        es, ep = np.exp(-s * depth), np.exp(-p * depth)
        uz[i] = force * np.sum((iz - p * a * ep + 1j * k * b * es) * np.cos(k * x)) * dk / np.pi
        ux[i] = force * np.sum((ix + 1j * k * a * ep + s * b * es) * 1j * np.sin(k * x)) * dk / np.pi
    weight = np.ones(count)
    weight[0] = 0.5
    phase = np.exp(1j * np.outer(t, omega.real))
    back = np.exp(shift * t) * 2 / span
    return back * np.real(phase @ (weight * ux)), -back * np.real(phase @ (weight * uz))


def main():
    t = np.arange(421) * 1e-3
    columns = {"t": t}  # amplitudes are 1e-11
    columns["ux"], columns["uz"] = surface(300.0, t)
    for h in (10.0, 5.0, 2.5):
        name = f"{h:g}".replace(".", "_")
        columns["ux_" + name], columns["uz_" + name] = inside(300.0, h / 2, h / 2, t)
        row, column = round(300 * np.sin(np.pi / 3) / h - 0.5), round(150 / h)
        columns["wz_" + name] = inside(column * h, (row + 0.5) * h, h / 2, t)[1]
    for name, source, near, deep in RANDOM:
        columns["uz_" + name] = inside(near[0] - source[0], near[1], source[1], t)[1]
        columns["wz_" + name] = inside(deep[0] - source[0], deep[1], source[1], t)[1]
    print("# Lamb's problem: see lamb.py")
    print(",".join(columns))
    for k in range(len(t)):
        print(",".join("%.5g" % (v[k] if abs(v[k]) > 1e-16 else 0) for v in columns.values()))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The fine grain in the valley (valley.yaml) from 1 degree with the standard velocity-Verlet scheme, 1 ms of it,
written apart from Scree: the radial parts of normal and tangential forces of both contacts over the weight
(figure 6). Linear springs of the stiffness of the paper's equation 1, eq. 31's damping, torque on the arm r,
history projected and rescaled. Prints them for steps of t_c/40 and t_c/270:

    python3 valley.py

    t_c/40   normal 0.65040 tangential 0.34944
    t_c/270  normal 0.64963 tangential 0.35022"""
from math import cos, log, pi, radians, sin, sqrt

R, RATIO, MU, RHO, G, START, END = 2e-3, 7, 0.6, 2500, 9.81, radians(1), 1e-3
NU, E, REST = 0.3, 72e9, 0.8
r = R / RATIO
m = 4 / 3 * pi * r**3 * RHO
meff = m / (1 + RATIO**-3)
kn = 1.2024 * (sqrt(meff) * (E / 2 / (1 - NU**2)) ** 2 * R * r / (R + r) * sqrt(2 * G * R)) ** 0.4
kt = kn * 2 * (1 - NU) / (2 - NU)
cn = -2 * log(REST) * sqrt(meff * kn) / sqrt(pi**2 + log(REST) ** 2)
ct = sqrt(kt / kn) * cn


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def to_plane(h, n):
    along = dot(h, n)
    p = [h[k] - along * n[k] for k in range(3)]
    left = dot(p, p)
    return [sqrt(dot(h, h) / left) * c for c in p] if left > 0 else p


def contact(centre, x, v, w, dt, h):
    """normal force, tangential force and spring of the contact with one large grain; w is the spin about its axis"""
    d = [x[k] - centre[k] for k in range(3)]
    length = sqrt(dot(d, d))
    overlap = R + r - length
    if overlap <= 0:
        return [0.0] * 3, [0.0] * 3, [0.0] * 3, d
    n = [c / length for c in d]
    vn = dot(v, n)
    spin = (0.0, r * n[2] * w, -r * n[1] * w)  # r n x (w, 0, 0)
    vt = [v[k] - vn * n[k] + spin[k] for k in range(3)]
    push = max(kn * overlap - cn * vn, 0.0)
    h = to_plane(h, n)
    h = [h[k] + dt * vt[k] for k in range(3)]
    f = [-kt * h[k] - ct * vt[k] for k in range(3)]
    size = sqrt(dot(f, f))
    if size > MU * push:
        f = [MU * push / size * c for c in f]
        h = [-(f[k] + ct * vt[k]) / kt for k in range(3)]
    return [push * c for c in n], f, h, n


def onset(steps):
    dt = pi * sqrt(meff / kn) / steps
    arm = (R + r) * sqrt(1 - (RATIO / (1 + RATIO)) ** 2)
    x, v, w = [0.0, arm * sin(START), arm * cos(START)], [0.0] * 3, 0.0
    force, torque, springs = [0.0, 0.0, -m * G], 0.0, [[0.0] * 3, [0.0] * 3]
    for _ in range(round(END / dt)):
        v = [v[k] + dt / 2 / m * force[k] for k in range(3)]
        w += dt / 2 / (0.4 * m * r * r) * torque
        x = [x[k] + dt * v[k] for k in range(3)]
        force, torque, radial = [0.0, 0.0, -m * G], 0.0, [0.0, 0.0]
        away = sqrt(x[1] ** 2 + x[2] ** 2)
        for side in (0, 1):
            fn, ft, springs[side], n = contact((R * (2 * side - 1), 0, 0), x, v, w, dt, springs[side])
            force = [force[k] + fn[k] + ft[k] for k in range(3)]
            torque -= r * (n[1] * ft[2] - n[2] * ft[1])
            radial[0] += (fn[1] * x[1] + fn[2] * x[2]) / away
            radial[1] += (ft[1] * x[1] + ft[2] * x[2]) / away
        v = [v[k] + dt / 2 / m * force[k] for k in range(3)]
        w += dt / 2 / (0.4 * m * r * r) * torque
    return radial[0] / m / G, radial[1] / m / G


if __name__ == "__main__":
    for steps in (40, 270):
        print("t_c/%-4d normal %.5f tangential %.5f" % (steps, *onset(steps)))

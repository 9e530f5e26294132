#!/usr/bin/env python3
"""The rigid solution of the fine grain in the valley (Vyas et al. 2025, appendix 1, with the spin equation that it
leaves out): rolls, then slides, then leaves. Writes rigid.csv: for each start 101 rows of time, angle, spin.

    python3 rigid.py > rigid.csv

angle'' = A sin(angle), A = 5 g s^2 / ((5 s^2 + 2) L), L = (R + r) s, s = sin(alpha) while it rolls; it slips when
(2/5) L angle''/s^2 exceeds (mu/s) N, N = g cos(angle) - L angle'^2 per mass; then L angle'' = g sin(angle) - mu N/s,
spin' = 5 mu N/(2 r); it leaves at N = 0."""
from math import cos, degrees, radians, sin, sqrt

R, RATIO, MU, G = 2e-3, 7, 0.6, 9.81
r = R / RATIO
s = sqrt(1 - (RATIO / (1 + RATIO)) ** 2)
L = (R + r) * s
A = 5 * G * s * s / ((5 * s * s + 2) * L)


def pressure(y):
    return G * cos(y[0]) - L * y[1] ** 2


def rate(y, rolling):
    if rolling:
        a = A * sin(y[0])
        return [y[1], a, L * a / (r * s)]
    return [y[1], (G * sin(y[0]) - MU * pressure(y) / s) / L, 2.5 * MU * pressure(y) / r]


def step(y, h, rolling):
    k1 = rate(y, rolling)
    k2 = rate([a + h / 2 * b for a, b in zip(y, k1)], rolling)
    k3 = rate([a + h / 2 * b for a, b in zip(y, k2)], rolling)
    k4 = rate([a + h * b for a, b in zip(y, k3)], rolling)
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4)]


def solve(start, h=1e-6):
    y, t, rolling, rows = [radians(start), 0.0, 0.0], 0.0, True, []
    slip = None
    while pressure(y) > 0:
        rows.append((t, degrees(y[0]), y[2]))
        if rolling and 0.4 * L * A * sin(y[0]) / s**2 > MU / s * pressure(y):
            rolling, slip = False, degrees(y[0])
        y, t = step(y, h, rolling), t + h
    rows.append((t, degrees(y[0]), y[2]))
    return rows, slip


def main():
    starts, columns = (1, 5, 10), []
    for start in starts:
        rows, slip = solve(start)
        columns.append([rows[(len(rows) - 1) * k // 100] for k in range(101)])
        t, angle, spin = rows[-1]
        print(f"# start {start} deg: slips at {slip:.2f} deg, leaves at {angle:.2f} deg, {t:.5f} s, {spin:.1f} rad/s")
    print(",".join(f"t_{n},angle_{n},spin_{n}" for n in starts))
    for k in range(101):
        print(",".join("%.6g,%.6g,%.6g" % c[k] for c in columns))


main()

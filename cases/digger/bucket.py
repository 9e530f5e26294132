#!/usr/bin/env python3
"""Writes bucket.stl, the bucket of digger.yaml where the scene puts it, and prints the mass properties that stand in
the scene. Plates are boxes of the thickness below; the arm hangs from its shoulder and is turned by `start` about y."""
import math

shoulder = (0.0, 0.0, 0.55)  # hinge of the arm on the ground
length = 0.32  # from there to the hinge of the bucket
start = math.radians(-75)  # of the arm, from hanging down; negative: towards +x
thick, wide, density = 0.012, 0.2, 7800.0

# plates with the arm hanging down: x and z against the shoulder, from and to; the opening is towards -x
half = wide / 2
plates = [
    ((-0.08, -half - thick, -0.462), (0.06 + thick, half + thick, -0.45)),  # bottom, whose end cuts
    ((0.06, -half - thick, -0.45), (0.06 + thick, half + thick, -0.32)),  # back
    ((-0.02, -half - thick, -0.32), (0.06 + thick, half + thick, -0.308)),  # top
    ((-0.06, -half - thick, -0.45), (0.06, -half, -0.32)),  # sides
    ((-0.06, half, -0.45), (0.06, half + thick, -0.32)),
]


def turned(p):
    c, s = math.cos(start), math.sin(start)
    return (shoulder[0] + c * p[0] + s * p[2], shoulder[1] + p[1], shoulder[2] - s * p[0] + c * p[2])


def facets(low, high):
    corner = lambda k: tuple((high if k >> d & 1 else low)[d] for d in range(3))
    # two triangles for each side, outward
    for a, b, c, d in ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)):
        yield corner(a), corner(b), corner(c)
        yield corner(a), corner(c), corner(d)


mass, moment = 0.0, [0.0] * 3
for low, high in plates:
    size = [high[d] - low[d] for d in range(3)]
    m = density * size[0] * size[1] * size[2]
    middle = turned([(low[d] + high[d]) / 2 for d in range(3)])
    mass += m
    moment = [moment[d] + m * middle[d] for d in range(3)]
centre = [q / mass for q in moment]

inertia = [[0.0] * 3 for _ in range(3)]
c, s = math.cos(start), math.sin(start)
turn = ((c, 0, s), (0, 1, 0), (-s, 0, c))
for low, high in plates:
    size = [high[d] - low[d] for d in range(3)]
    m = density * size[0] * size[1] * size[2]
    middle = turned([(low[d] + high[d]) / 2 for d in range(3)])
    own = [m / 12 * (sum(q * q for q in size) - size[d] ** 2) for d in range(3)]
    away = [middle[d] - centre[d] for d in range(3)]
    square = sum(q * q for q in away)
    for i in range(3):
        for j in range(3):
            inertia[i][j] += sum(turn[i][k] * own[k] * turn[j][k] for k in range(3))
            inertia[i][j] += m * ((square if i == j else 0) - away[i] * away[j])

with open("bucket.stl", "w") as out:
    out.write("solid bucket\n")
    for low, high in plates:
        for triangle in facets(low, high):
            out.write(" facet normal 0 0 0\n  outer loop\n")
            for p in triangle:
                out.write("   vertex %.9g %.9g %.9g\n" % turned(p))
            out.write("  endloop\n endfacet\n")
    out.write("endsolid bucket\n")

hinge = turned((0, 0, -length))
arm = turned((0, 0, -length / 2))
show = lambda v: "[" + ", ".join("%.6g" % q for q in v) + "]"
print("elbow     ", show(hinge))
print("arm centre", show(arm))
print("bucket mass %.6g centre %s" % (mass, show(centre)))
print("inertia", show([inertia[d][d] for d in range(3)]), "products",
      show([inertia[0][1], inertia[0][2], inertia[1][2]]))

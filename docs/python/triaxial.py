"""A triaxial test: a dense sample of spheres between six walls is compressed by the same pressure from all sides; then
the lid moves down at a constant speed while the side walls hold the pressure. The deviator stress rises to a peak, from
which the angle of internal friction follows: sin(phi) = (s1 - s3)/(s1 + s3).

    python3 triaxial.py"""
import numpy
import scree

PRESSURE, EDGE, RADIUS, FRICTION = 2e4, 0.05, 3.5e-3, 0.5  # [Pa], [m], [m]


def wall(axis, side):
    """A side of the box, pressed inwards by a servo."""
    inwards = [0.0, 0.0, 0.0]
    inwards[axis] = -1.0 if side else 1.0
    point = [0.0, 0.0, 0.0]
    point[axis] = EDGE if side else 0.0
    servo = {"axis": inwards, "force": PRESSURE * EDGE**2, "max_speed": 0.02}
    return {"shape": "plane", "point": point, "normal": inwards, "material": "plate", "servo": servo}


room = 0.2 * EDGE
scene = {
    "title": "triaxial compression",
    "domain": {"box": [[-room] * 3, [EDGE + room] * 3]},
    "gravity": [0, 0, 0],
    "materials": {"sand": {"density": 2600, "restitution": 0.2, "friction": FRICTION},
                  "plate": {"density": 7800, "restitution": 0.2}},
    # walls without friction: the stresses are principal ones
    "contacts": {"any": {"stiffness": 1e5}, "sand/plate": {"friction": 0}},
    "bodies": {"sample": {"from": "packing", "material": "sand", "radius": RADIUS,
                          "region": {"shape": "box", "box": [[0.0] * 3, [EDGE] * 3]}}},
    "walls": {f"{name}{side}": wall(axis, side) for axis, name in enumerate("xyz") for side in (0, 1)},
    "time": {"end": 1},
}

sim = scree.Simulation(scene, threads=1)
walls = sim.walls


def size():
    """Distances of the walls that face each other [m]."""
    return numpy.array([walls[f"{name}1"].position[axis] - walls[f"{name}0"].position[axis]
                        for axis, name in enumerate("xyz")])


def stresses():
    """Mean pressure on each pair of walls [Pa]."""
    x, y, z = size()
    area = (y * z, x * z, x * y)
    return numpy.array([0.5 * (abs(walls[f"{name}0"].force[axis]) + abs(walls[f"{name}1"].force[axis])) / area[axis]
                        for axis, name in enumerate("xyz")])


def hold(pressure, axes):
    """Targets of the servos for the sample as it is now."""
    x, y, z = size()
    for axis, area in ((0, y * z), (1, x * z), (2, x * y)):
        if axis in axes:
            for side in (0, 1):
                walls[f"{'xyz'[axis]}{side}"].target = pressure * area


# %% The same pressure from all sides, until the walls carry it
while sim.time < 0.2:
    sim.advance(until=sim.time + 0.002)
    hold(PRESSURE, (0, 1, 2))
    if sim.time > 0.04 and numpy.allclose(stresses(), PRESSURE, rtol=0.02):
        break
start = size()
solid = (4 / 3 * numpy.pi * sim.grains.radius**3).sum()
print(f"{len(sim.grains)} grains, isotropic at {stresses() / 1e3} kPa after {sim.time:.3f} s, solid fraction "
      f"{solid / start.prod():.3f}")

# %% The lid and the floor come together at a speed of their own, against servos that want no force
for side in (0, 1):
    walls[f"z{side}"].target = 0.0
    walls[f"z{side}"].velocity = [0, 0, -0.06 if side else 0.06]
strains, ratios = [], []
while size()[2] > 0.94 * start[2]:
    sim.advance(until=sim.time + 0.0005)
    hold(PRESSURE, (0, 1))
    s = stresses()
    strains.append(1 - size()[2] / start[2])
    ratios.append((s[2] - s[:2].mean()) / (s[2] + s[:2].mean()))

# %% The peak of a running mean
smooth = numpy.convolve(ratios, numpy.ones(5) / 5, mode="valid")
angle = numpy.degrees(numpy.arcsin(smooth.max()))
print(f"angle of internal friction {angle:.1f} degrees at a strain of {100 * strains[int(smooth.argmax()) + 2]:.1f} %; "
      f"solid fraction now {solid / size().prod():.3f}; energy balance error {sim.energies.closure:.1e} J")

"""Tests 4 and 6 by a program of its own: the impact of a damped Hertz contact whose tangential spring and damper are in
series with Coulomb's slider, integrated with the changes between sticking and slipping found. Prints, for test 6, the
surface velocity after over the normal velocity after, and for test 4 the ratio of tangential velocities and the spin in
rad/s; all without dimensions, with an overlap that is small against the radius."""
from math import atan2, copysign, cos, exp, radians, sqrt, tan

STEPS = 2000


def damping_ratio(restitution):
    """of a contact that never pulls"""
    low, high = 0.0, 0.999
    while high - low > 1e-15:
        z = 0.5 * (low + high)
        y = sqrt(1 - z * z)
        low, high = (z, high) if exp(-z / y * atan2(2 * z * y, 2 * z * z - 1)) > restitution else (low, z)
    return z


def take(friction, restitution, poisson):
    """the pair of materials"""
    global FRICTION, RATIO, Z
    # RATIO: of stiffnesses
    FRICTION, RATIO, Z = friction, 2 * (1 - poisson) / (2 - poisson), damping_ratio(restitution)


def numbers(y):
    """normal force, tangential stiffness and damping, growth of the stiffness; y: overlap, approach, slip, stretch"""
    a = sqrt(max(y[0], 0))
    eta = sqrt(5) * Z * sqrt(a)
    return max(a * y[0] + eta * y[1], 0), 1.5 * RATIO * a, sqrt(RATIO) * eta, 0.5 * y[1] / y[0]


def rates(y, way):
    normal, k, eta, growth = numbers(y)
    force = way * FRICTION * normal if way else k * y[3] + eta * y[2]
    stretch = (force - k * y[3]) / eta if way else y[2]
    return y[1], -normal, -3.5 * force, stretch - max(growth, 0) * y[3]


def step(y, t, way):
    along = lambda r, part: [p + part * t * q for p, q in zip(y, r)]
    a = rates(y, way)
    b = rates(along(a, 0.5), way)
    c = rates(along(b, 0.5), way)
    d = rates(along(c, 1), way)
    return along([(p + 2 * q + 2 * r + s) / 6 for p, q, r, s in zip(a, b, c, d)], 1)


def beyond(y, way):
    """positive where the contact does not go on as it does: sticking (way 0) or slipping"""
    normal, k, eta, _ = numbers(y)
    force = k * y[3] + eta * y[2]
    return FRICTION * normal - way * force if way else abs(force) - FRICTION * normal


def impact(slip):
    y, way = [1e-7, 1.0, slip, 0.0], 0
    if beyond(y, 0) > 0:
        way = 1
    while not (y[1] < 0 and numbers(y)[0] <= 0):
        t = min(2.9432 * 1.25**0.4 / STEPS, 0.02 * y[0] / abs(y[1]))
        after = step(y, t, way)
        if beyond(after, way) > 1e-13:
            low, high = 0.0, t
            for _ in range(50):
                t = 0.5 * (low + high)
                low, high = (low, t) if beyond(step(y, t, way), way) > 1e-13 else (t, high)
            after = step(y, high, way)
            normal, k, eta, _ = numbers(after)
            way = 0 if way else copysign(1, k * after[3] + eta * after[2])
        y = after
    return -y[2] / y[1]


take(0.4, 0.5, 0.33)
print("turning,slip")
for x in (0.36319, 0.69584, 1.0012, 1.4288, 1.7344, 2.1488, 2.7471, 5.6774):
    print("%g,%.4f" % (x, impact(x)))
take(0.092, 0.98, 0.23)
print("angle,ratio,spin")
for x in (5, 10, 15, 20, 25, 30):
    slip = tan(radians(x))
    impulse = (slip - 0.98 * impact(slip)) / 3.5
    print("%g,%.4f,%.2f" % (x, 1 - impulse / slip, 2.5 * impulse * 3.9 * cos(radians(x)) / 0.0025))

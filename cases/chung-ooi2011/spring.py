"""Test 5 by a program of its own: an elastic impact with Coulomb's friction, Hertz' normal force and Mindlin's
tangential stiffness, whose spring force shrinks with the contact radius as the contact unloads. Prints the two numbers
of the test: surface velocity after over friction times normal velocity, and spin; all without dimensions, with an
overlap that is small against the radius."""
from math import copysign, sqrt

POISSON, STEPS = 0.3, 40000


def impact(slip):
    ratio = 2 * (1 - POISSON) / (2 - POISSON)  # tangential over normal stiffness
    overlap, approach, sliding, turning = 0.0, 1.0, slip, 0.0  # force = overlap^1.5, mass = radius = 1; tangential / mu
    force, old = 0.0, 0.0
    dt = 2.9432 * 1.25**0.4 / STEPS
    while True:
        overlap += dt * approach
        if overlap <= 0:
            return -(sliding - turning) / approach, -turning
        normal, radius = overlap**1.5, sqrt(overlap)
        if radius < old:
            force *= radius / old
        force += 1.5 * ratio * radius * (sliding - turning) * dt
        if abs(force) > normal:
            force = copysign(normal, force)
        old = radius
        approach -= normal * dt
        sliding -= force * dt
        turning += 2.5 * force * dt


print("x,slip,spin")
for slip in (1 / 3, 1, 2, 3, 4, 6, 10):
    print("%g,%.3f,%.3f" % ((slip,) + impact(slip)))

"""Two spheres meet with an offset (impact.yaml) by a Runge-Kutta method of fourth order: energies of translation and of
rotation of one of them after the impact. The tangential damper acts always, or while the normal force pushes; its arm
is the radius, or ends in the middle of the overlap. LAMMPS has the first of each, the paper's equations (23, 25) a
damper that acts always and the second arm, Scree the second of each, or with pull: allowed those of the paper. First k
= 195000 and gamma_n m_eff = 30, then the sets of figure 6 (k d^2/(m v^2) = 6e6/pi, gamma_n m_eff = gamma/2)."""
import math


def rates(s, stiff, damp, bounded, middle):
    """of x, y, vx, vy, w of one sphere; the other is its image through the origin"""
    x, y, vx, vy, w = s
    distance = 2 * math.hypot(x, y)
    overlap = 1 - distance
    if overlap <= 0:
        return vx, vy, 0.0, 0.0, 0.0
    nx, ny = 2 * x / distance, 2 * y / distance
    arm = 0.5 - overlap / 2 if middle else 0.5
    un = 2 * (vx * nx + vy * ny)
    tx = 2 * vx - un * nx + 2 * arm * w * ny
    ty = 2 * vy - un * ny - 2 * arm * w * nx
    normal = stiff * overlap - damp * un
    damper = 0.0 if bounded and normal <= 0 else damp / 2
    fx, fy = normal * nx - damper * tx, normal * ny - damper * ty
    return vx, vy, fx, fy, -arm * (nx * -damper * ty + ny * damper * tx) / 0.1


def impact(offset, steps, *law):
    contact = math.pi * math.sqrt(1 / (2 * law[0]))
    h = contact / steps
    s = (math.sqrt(1 - offset**2) / 2, offset / 2, -1.0, 0.0, 0.0)
    for _ in range(2 * steps):
        a = rates(s, *law)
        b = rates([p + h / 2 * q for p, q in zip(s, a)], *law)
        c = rates([p + h / 2 * q for p, q in zip(s, b)], *law)
        d = rates([p + h * q for p, q in zip(s, c)], *law)
        s = [p + h / 6 * (i + 2 * j + 2 * k + m) for p, i, j, k, m in zip(s, a, b, c, d)]
    return (s[2] ** 2 + s[3] ** 2) / 2, s[4] ** 2 / 20


for stiff, damp, offset in ((195000, 30, 0.1), (6e6 / math.pi, 0, 0.3), (6e6 / math.pi, 15, 0.1),
                            (6e6 / math.pi, 15, 0.2)):
    for bounded in (False, True):
        for middle in (False, True):
            law = "bounded" if bounded else "free", "arm to the middle" if middle else "arm of a radius"
            print("%g" % damp, offset, *law, *["%.7g" % e for e in impact(offset, 20000, stiff, damp, bounded, middle)])

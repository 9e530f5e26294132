"""The bonded pair of pair.yaml with gamma = 30 by the midpoint scheme as the paper prints it, signs repaired:

    p - m v - h/2 V'(u + h v/2) + h/2 Q(v) + h/2 Q(p/m) = 0,   p <- m v - h/2 V'(u + h v/2),   u <- u + h v

(equations 14, 29 and 31: the damping force Q enters the first line twice and the second not at all). Writes printed.csv:
the step over sqrt(m/k) and the r.m.s. of the place, scaled as in case.yaml. Its order is 1.14 where the forced scheme,
with h/2 Q(v) in both lines, has 2.00."""
import math

K, GAMMA = 195000.0, 30.0


def error(step, printed):
    h, n = step / math.sqrt(K), round(20 / step)
    omega = math.sqrt(2 * K - GAMMA**2)
    u, p, total = 0.0, 1.0, 0.0
    stiff, damp = 2 * K, 2 * GAMMA
    for k in range(1, n + 1):
        first = damp * p if printed else 0.0
        v = (p - h / 2 * (stiff * u + first)) / (1 + h / 2 * damp + h * h / 4 * stiff)
        last = 0.0 if printed else damp * v
        p = v - h / 2 * (stiff * (u + h / 2 * v) + last)
        u += h * v
        t = k * h
        total += (u - math.exp(-GAMMA * t) * math.sin(omega * t) / omega) ** 2
    return math.sqrt(total / (n + 1)) * math.sqrt(2 * K)


steps = [0.2, 0.1, 0.05, 0.025, 0.0125]
with open("printed.csv", "w") as f:
    f.write("# printed.py: a damped bonded pair by the scheme as printed, and as it must be\nh,place,forced\n")
    for s in steps:
        f.write("%g,%.6e,%.6e\n" % (s, error(s, True), error(s, False)))
for name, printed in (("printed", True), ("forced", False)):
    print(name, "order %.3f" % math.log2(error(0.025, printed) / error(0.0125, printed)))

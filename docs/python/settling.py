"""A fluid force written in numpy: glass beads of 0.1 mm settle in water, as a cloud that fills a periodic box, at
several solid fractions. Drag after Di Felice (1994), buoyancy, and a fluid that flows back where beads go down; the
settling speed against
Richardson & Zaki (1954): v = v0 (1 - phi)^n, n = 4.35 Re^-0.03 for 0.2 < Re < 1.

    python3 settling.py"""
import numpy
import scree

D, DENSITY, FLUID, VISCOSITY, G = 1e-4, 2500.0, 1000.0, 1e-3, 9.81
VOLUME = numpy.pi * D**3 / 6


def drag(slip, void):
    """Force [N] on beads from the velocity of the fluid against them, (n, 3), and the void fraction, (n,): Di Felice
    1994 on the drag coefficient of Dallavalle 1948."""
    speed = void[:, None] * numpy.linalg.norm(slip, axis=1, keepdims=True)
    re = numpy.maximum(FLUID * speed * D / VISCOSITY, 1e-9)
    coefficient = (0.63 + 4.8 / numpy.sqrt(re)) ** 2
    beta = 3.7 - 0.65 * numpy.exp(-0.5 * (1.5 - numpy.log10(re)) ** 2)
    return 0.125 * coefficient * FLUID * numpy.pi * D**2 * speed * void[:, None] * slip * void[:,
            None] ** (-beta) / void[:, None]


def settle(fraction, count=400, duration=0.012):
    """Mean settling speed [m/s] of a cloud."""
    edge = (count * VOLUME / fraction) ** (1 / 3)
    scene = {
        "domain": {"box": [[0, 0, 0], [edge] * 3], "periodic": ["x", "y", "z"]},
        "materials": {"glass": {"density": DENSITY, "restitution": 0.5, "friction": 0.3}},
        "contacts": {"any": {"stiffness": 0.1}},
        "bodies": {"cloud": {"from": "random", "material": "glass", "diameter": D, "count": count}},
        "time": {"end": duration, "step": 5e-6},
    }
    sim = scree.Simulation(scene, threads=1)
    buoyancy = numpy.array([0, 0, FLUID * VOLUME * G])
    layers = 4

    def fluid(s):
        grains = s.grains
        # solid fraction and mean velocity of horizontal layers; no volume passes through them: the fluid flows back
        layer = numpy.minimum((grains.position[:, 2] % edge / edge * layers).astype(int), layers - 1)
        solid = numpy.bincount(layer, minlength=layers) * VOLUME / (edge**3 / layers)
        flux = numpy.bincount(layer, grains.velocity[:, 2], layers) * VOLUME / (edge**3 / layers)
        back = numpy.zeros((layers, 3))
        back[:, 2] = -flux / (1 - solid)
        grains.push(drag(back[layer] - grains.velocity, 1 - solid[layer]) + buoyancy)

    sim.each_step(push=fluid)
    speeds = []
    for state in sim.run(every=duration / 12):
        speeds.append(-state.grains.velocity[:, 2].mean())
    return float(numpy.mean(speeds[-4:]))


# %% One bead alone, in a large box: the speed that all others are compared with
alone = settle(1e-6, count=1)
re = FLUID * alone * D / VISCOSITY
exponent = 4.35 * re**-0.03
print(f"one bead: {alone * 1e3:.3f} mm/s, Re = {re:.2f}, n = {exponent:.2f} (Richardson & Zaki)")

# %% Clouds
fractions = [0.05, 0.1, 0.2, 0.3]
speeds = scree.batch(settle, fractions)
for fraction, speed in zip(fractions, speeds):
    expected = alone * (1 - fraction) ** exponent
    print(f"phi = {fraction:.2f}: {speed * 1e3:.3f} mm/s, Richardson & Zaki {expected * 1e3:.3f} mm/s "
          f"({100 * (speed / expected - 1):+.1f} %)")
fitted = numpy.polyfit(numpy.log1p(-numpy.array(fractions)), numpy.log(numpy.array(speeds) / alone), 1)[0]
print(f"fitted exponent {fitted:.2f}")

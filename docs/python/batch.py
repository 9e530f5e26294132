"""A hundred runs on all cores: balls with random restitution fall on a floor, and the height of the rebound gives it
back: h1 = e^2 h0.
Each run is a simulation in a thread of its own.

    python3 batch.py"""
import numpy
import scree

HEIGHT, RADIUS = 0.1, 0.005


def rebound(restitution):
    """Height of the first rebound [m]."""
    scene = {
        "domain": {"box": [[-0.1, -0.1, -0.05], [0.1, 0.1, 0.3]]},
        "materials": {"rubber": {"density": 1200, "restitution": float(restitution), "friction": 0.3}},
        "contacts": {"any": {"stiffness": 1e5}},
        "walls": {"floor": {"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rubber"}},
        "bodies": {"ball": {"from": "positions", "positions": [0, 0, HEIGHT + RADIUS], "radius": RADIUS,
                            "material": "rubber"}},
        "time": {"end": 1},
    }
    sim = scree.Simulation(scene, threads=1, contacts=False)
    sim.advance(until=(2 * HEIGHT / 9.81) ** 0.5 + 0.01)
    speed = sim.grains.velocity[0, 2]
    return speed**2 / (2 * 9.81) + sim.grains.position[0, 2] - RADIUS


wanted = numpy.random.default_rng(1).uniform(0.3, 0.95, 100)
heights = numpy.array(scree.batch(rebound, wanted))
found = numpy.sqrt(heights / HEIGHT)
print(f"{len(found)} runs: restitution off by {numpy.abs(found - wanted).max():.4f} at most, "
      f"{(found - wanted).mean():+.4f} in the mean")

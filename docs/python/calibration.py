"""Calibration: which friction gives an angle of repose of 18 degrees? A column of grains collapses on a rough floor;
the slope that remains is measured, and scree.calibrate looks for the friction of the grains that gives the wanted
angle.

    python3 calibration.py"""
import scree

D = 5e-3  # diameter [m]
scene = {
    "title": "a column collapses",
    "values": {"mu": 0.4},
    "domain": {"box": [[0, 0, 0], [0.2, 3 * D, 0.12]], "periodic": ["y"], "boundary": "delete"},
    "materials": {"grain": {"density": 2500, "restitution": 0.3, "friction": "=mu"}},
    "contacts": {"any": {"stiffness": 500}},
    "walls": {"left": {"shape": "plane", "point": [0, 0, 0], "normal": [1, 0, 0], "material": "grain"}},
    "bodies": {
        # a floor of frozen grains, on which nothing slides
        "floor": {"from": "lattice", "material": "grain", "diameter": D, "frozen": True,
                  "region": {"shape": "box", "box": [[0, 0, 0], [0.2, 3 * D, 1.05 * D]]}},
        "column": {"from": "random", "material": "grain", "diameter": 0.95 * D, "fraction": 0.3,
                   "region": {"shape": "box", "box": [[0, 0, 1.1 * D], [0.05, 3 * D, 0.09]]}},
    },
    "observers": {"slope": {"type": "pile", "group": "column", "direction": [1, 0, 0], "base": D}},
    "time": {"end": 0.35},
    "output": {"every": 0.1},
}

# %% How the angle depends on friction: a sweep, on all cores
for row in scree.sweep(scene, {"values.mu": [0.05, 0.2, 0.5]}, ["angle=last(slope.angle)"]):
    print(f"friction {row['values.mu']:.2f}: angle {row['angle']:.1f} degrees")

# %% The friction of a wanted angle; each point is the mean over two seeds
wanted = 18.0
found = scree.calibrate(scene, {"values.mu": (0.05, 0.6)}, {"angle=last(slope.angle)": (wanted, 1.0)}, seeds=2,
                        tolerance=0.05,
                        evaluations=6)
print(found)
for run in found.runs:
    print(f"  friction {run['values.mu']:.3f}: {run['angle']:.2f} degrees")

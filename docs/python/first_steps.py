"""First steps: a scene of Python objects, a run with results, a picture and a plot; then the same scene driven step by
step.

    python3 first_steps.py"""
import scree
from scree import scene as s

# %% A scene: glass beads fall into a box. Every class is explained by help(): help(s.BodiesRandom)
box = [[0, 0, 0], [0.06, 0.06, 0.15]]
scene = s.Scene(title="beads fall into a box",
                domain=s.Domain(box=box),
                materials={"glass": s.Material(density=2500, restitution=0.6, friction=0.3)},
                contacts={"any": s.Contact(stiffness=1e4)},
                walls={"box": s.WallBox(box=box, material="glass")},
                bodies={"beads": s.BodiesRandom(material="glass", radius="4 mm", fraction=0.25)},
                time=s.Time(end=0.3),
                output=s.Output(every=0.02, fields=["position", "velocity", "radius"]))
scene.check()

# %% A whole run, with results on disk
run = scree.run(scene, "beads.h5")
print(run)
last = run.frames[-1]
print(f"highest bead: {last['position'][:, 2].max() * 1e3:.1f} mm, fastest: "
      f"{(last['velocity']**2).sum(axis=1).max()**0.5:.2f} m/s")

# %% The energies over time, and a picture. In a notebook `run` shows itself
run.plot("energies").figure.savefig("beads-energies.png")
run.picture(path="beads.png", width=640, height=480)

# %% The same scene in this process, in steps of a hundredth of a second
sim = scree.Simulation(scene)
for state in sim.run(every=0.1, until=0.3):
    energies = state.energies
    print(f"t = {state.time:.2f} s: kinetic energy {energies.translation + energies.rotation:.3e} J, "
          f"{len(state.contacts)} contacts, energy balance error {energies.closure:.1e} J")

# %% Views are the simulation's own memory: stop all beads that rise, and go on
velocity = sim.grains.velocity
velocity[velocity[:, 2] > 0] = 0
sim.advance(until=0.35)

weight = 9.81 * sim.grains.mass.sum()
print(f"the beads weigh {weight:.3f} N; the box carries {-sim.walls['box'].force[2]:.3f} N")
assert abs(sim.energies.closure) < 0.01 * sim.energies.inserted + 0.05 * sim.energies.damping

# the same in YADE
from yade import pack

glass = O.materials.append(FrictMat(young=5e6, poisson=0.3, density=2500, frictionAngle=atan(0.5)))
O.bodies.append(geom.facetBox((.03, .03, .15), (.03, .03, .15), wallMask=31, material=glass))
beads = pack.SpherePack()
beads.makeCloud((.0005, .0005, .0005), (.0595, .0595, .2995), rMean=.0025, num=1000)
beads.toSimulation(material=glass)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()]),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_MindlinPhys(en=0.5, es=0.5)],
        [Law2_ScGeom_MindlinPhys_Mindlin()]),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0),
    PyRunner(command="print(O.time, kineticEnergy())", virtPeriod=0.1),
]
O.dt = 1e-5
O.run(50000, True)

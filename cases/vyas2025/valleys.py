#!/usr/bin/env python3
"""Writes valleys.yaml: 101 fine grains with frictions from 0 to 1, each in a valley of its own in one row of large
grains.
One run then has all cells of figure 5 of a size ratio, in a fifth of the time that 101 runs of valley.yaml take.

    python3 valleys.py > valleys.yaml"""
COUNT = 101

print(f"""# The problem of valley.yaml for {COUNT} frictions at once: a row of large grains that touch, and in every second valley
# a fine grain of another material. They never meet. Written by valleys.py.
scree: 1
title: Fine grains in valleys, friction 0 to 1

values:
  ratio: 7                  # of the radii
  start: 5 deg              # angle from the vertical at which the fine grains are released
  steps: 20                 # per contact time
  passes: 1.1               # how long, as in valley.yaml
  # stiffness over that of the paper. Angles do not depend on it (143.2, 143.4 and 143.45 deg with 1, 0.1 and 0.01 at ratio 100
  # and friction 0.6), and what the standard scheme does wrong grows as sqrt(soft)/steps: as much as at the paper's t_c/270
  soft: 0.01
  fines: {COUNT}
  larges: =2*fines
  R: 2 mm
  r: =R/ratio
  m: =2500*4/3*pi*r^3
  modulus: =72e9/2/(1-0.3^2)
  kn: =soft*1.2024*(sqrt(m/(1+1/ratio^3))*modulus^2*R/(1+ratio)*sqrt(2*9.81*R))^0.4
  sine: =sqrt(1-(ratio/(1+ratio))^2)
  arm: =(R+r)*sine          # distance of the fine grain from the axis of the large ones
  rate: =sqrt(5*9.81*sine^2/((5*sine^2+2)*arm))
  end: =passes*log(4/sin(start/2))/rate
  dt: =pi*sqrt(m/kn)/steps
  y: =arm*sin(start)
  z: =arm*cos(start)

domain:
  box: [[-1, -1, -1], [1, 1, 1]]

contacts:
  any: {{stiffness: =kn, restitution: 0.80832, slip: damper}}

stepper: {{type: soft, scheme: improved}}
time: {{end: =end, step: =dt}}
output: {{every: =end/10, checkpoint: =end, fields: [position]}}

materials:
  large: {{density: 2500 kg/m^3, young: 72 GPa, poisson: 0.3, friction: 1}}""")
for k in range(COUNT):
    print(f"  m{k:03}: {{density: 2500 kg/m^3, young: 72 GPa, poisson: 0.3, friction: {k / 100}}}")
print("\nbodies:")
for k in range(COUNT):
    print(f"  f{k:03}: {{from: positions, material: m{k:03}, radius: =r, position: [=R*{4 * k + 1}, =y, =z]}}")
print("  larges: {from: lattice, material: large, radius: =R, count: =larges, frozen: yes, "
      "region: {shape: box, box: [[=-R, =-R, =-R], [=4*R*fines, =R, =R]]}}")

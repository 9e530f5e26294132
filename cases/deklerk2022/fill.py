"""The start of box.yaml: 218 spheres of diameter 1 on a jittered lattice of spacing 1.2 with random velocities.
python3 fill.py SEED > fillSEED.csv"""
import sys


def fill(count, seed):
    mask = (1 << 64) - 1
    state = (88172645463325252 + 104729 * seed) & mask

    def draw():
        nonlocal state
        state ^= (state << 13) & mask
        state ^= state >> 7
        state ^= (state << 17) & mask
        return (state >> 11) / 9007199254740992.0

    for _ in range(50):
        draw()
    rows = []
    for i in range(count):
        a = i % 25
        x = [0.6 + 1.2 * (a % 5), 0.6 + 1.2 * (a // 5), 0.7 + 1.2 * (i // 25)]
        x = [c + 0.08 * (draw() - 0.5) for c in x]
        rows.append(x + [2 * (draw() - 0.5) for _ in range(3)])
    return rows


print("id,type,radius,x,y,z,vx,vy,vz,wx,wy,wz")
for k, row in enumerate(fill(218, int(sys.argv[1]))):
    print("%d,1,0.5,%s,0,0,0" % (k + 1, ",".join("%.10g" % c for c in row)))

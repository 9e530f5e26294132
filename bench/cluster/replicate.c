/* replicate FILE NX NY WX WY: a table of grains (CSV) side by side NX x NY times, WX and WY apart, to standard output.
 * With a further argument, the box's height: as LAMMPS data. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double type, diameter, density, x[3], v[3], w[3];
} grain;

static size_t read_all(FILE *in, grain **grains)
{
    size_t count = 0, room = 1 << 20;
    char line[1024];
    double id;
    grain *g = malloc(room * sizeof *g);
    if (!g || !fgets(line, sizeof line, in)) return 0;
    while (count < room && fgets(line, sizeof line, in)) {
        grain *r = &g[count];
        count +=
            sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &id, &r->type, &r->diameter,
                   &r->density, r->x, r->x + 1, r->x + 2, r->v, r->v + 1, r->v + 2, r->w, r->w + 1, r->w + 2) == 13;
    }
    *grains = g;
    return count;
}

// of LAMMPS data, in the order of ids
static void velocities(const grain *g, size_t count, size_t copies)
{
    printf("\nVelocities\n\n");
    for (size_t id = 0; id < copies * count; id++) {
        const grain *r = &g[id % count];
        printf("%zu %.17g %.17g %.17g %.17g %.17g %.17g\n", id + 1, r->v[0], r->v[1], r->v[2], r->w[0], r->w[1],
               r->w[2]);
    }
}

int main(int argc, char **argv)
{
    grain *g = NULL;
    FILE *in = argc > 5 ? fopen(argv[1], "r") : NULL;
    if (!in) return fprintf(stderr, "usage: replicate FILE NX NY WX WY [HEIGHT]\n"), 2;
    size_t count = read_all(in, &g), id = 0;
    int nx = atoi(argv[2]), ny = atoi(argv[3]);
    double wx = atof(argv[4]), wy = atof(argv[5]);
    if (argc > 6)
        printf(
            "grains\n\n%zu atoms\n2 atom types\n0 %.17g xlo xhi\n0 %.17g ylo yhi\n-1 %s zlo zhi\n\nAtoms # sphere\n\n",
            count * (size_t)(nx * ny), nx * wx, ny * wy, argv[6]);
    else
        printf("id,type,diameter,density,x,y,z,vx,vy,vz,wx,wy,wz\n");
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            for (size_t k = 0; k < count; k++) {
                const grain *r = &g[k];
                if (argc > 6)
                    printf("%zu %.0f %.17g %.17g %.17g %.17g %.17g\n", ++id, r->type, r->diameter, r->density,
                           r->x[0] + i * wx, r->x[1] + j * wy, r->x[2]);
                else
                    printf("%zu,%.0f,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", ++id,
                           r->type, r->diameter, r->density, r->x[0] + i * wx, r->x[1] + j * wy, r->x[2], r->v[0],
                           r->v[1], r->v[2], r->w[0], r->w[1], r->w[2]);
            }
    if (argc > 6) velocities(g, count, (size_t)(nx * ny));
    free(g);
    return 0;
}

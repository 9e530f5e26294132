/* The chute problem through LAMMPS, one core, from the same state. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char script[] =
    "units lj\natom_style sphere\nboundary p p fm\nnewton off\ncomm_modify vel yes\nread_data "
    "state.data\n"
    "pair_style gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 0\npair_coeff * *\n"
    "neighbor 0.1 bin\nneigh_modify delay 0 every 1\ntimestep 0.0001\n"
    "group bottom type 2\ngroup active subtract all bottom\nneigh_modify exclude group bottom "
    "bottom\n"
    "fix 1 all gravity 1.0 chute 26.0\nfix 2 bottom freeze\nfix 3 active nve/sphere\n"
    "compute 1 all erotate/sphere\nthermo_style custom step ke c_1\nthermo_modify norm no format "
    "float %.9g\n"
    "thermo 100\nrun 1000\n";

// CSV (id,type,diameter,density,x,y,z,vx,vy,vz,wx,wy,wz) as a LAMMPS data file
static bool write_data(const char *state, const char *path, int64_t grains, const double box[2][3])
{
    FILE *in = fopen(state, "r"), *out = fopen(path, "w");
    bool ok = in && out;
    if (ok) {
        fprintf(out,
                "chute\n\n%lld atoms\n2 atom types\n%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n"
                "%.17g %.17g zlo zhi\n\nAtoms # sphere\n\n",
                (long long)grains, box[0][0], box[1][0], box[0][1], box[1][1], box[0][2], box[1][2]);
        char line[1024];
        for (int pass = 0; pass < 2; pass++) {
            rewind(in);
            if (pass) fprintf(out, "\nVelocities\n\n");
            ok &= fgets(line, sizeof line, in) != NULL;
            while (fgets(line, sizeof line, in)) {
                char *word[13];
                int n = 0;
                for (char *w = strtok(line, ",\n"); w && n < 13; w = strtok(NULL, ",\n")) word[n++] = w;
                if (n < 13) continue;
                if (!pass)
                    fprintf(out, "%s %s %s %s %s %s %s\n", word[0], word[1], word[2], word[3], word[4], word[5],
                            word[6]);
                else
                    fprintf(out, "%s %s %s %s %s %s %s\n", word[0], word[7], word[8], word[9], word[10], word[11],
                            word[12]);
            }
        }
    }
    if (in) fclose(in);
    if (out) ok &= fclose(out) == 0;
    return ok;
}

// one process with OMP_NUM_THREADS=1, in `folder`, its output to log.out
static bool run_program(const char *program, const char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        setenv("OMP_NUM_THREADS", "1", 1);
        if (chdir(folder) || !freopen("log.out", "w", stdout) || !freopen("log.err", "w", stderr)) _exit(127);
        execlp(program, program, "-in", "in.chute", "-log", "none", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool read_log(const char *path, int64_t grains, lammps_result *r)
{
    FILE *in = fopen(path, "r");
    if (!in) return false;
    char line[512];
    int found = 0;
    while (fgets(line, sizeof line, in)) {
        long step;
        double kinetic, rotation, seconds;
        if (sscanf(line, "%ld %lf %lf", &step, &kinetic, &rotation) == 3) {
            if (step == 100) r->kinetic_100 = kinetic, r->rotation_100 = rotation, found |= 1;
            if (step == 1000) r->kinetic_1000 = kinetic, r->rotation_1000 = rotation, found |= 2;
        }
        if (sscanf(line, "Loop time of %lf", &seconds) == 1) r->rate = (double)grains * 1000 / seconds, found |= 4;
    }
    fclose(in);
    return found == 7;
}

bool bench_lammps(const char *program, const char *state, int64_t grains, const double box[2][3], lammps_result *result)
{
    const char *tmp = getenv("TMPDIR");
    char folder[1024], path[1100];
    snprintf(folder, sizeof folder, "%s/scree-lammps-XXXXXX", tmp && *tmp ? tmp : P_tmpdir);
    if (!mkdtemp(folder)) return false;
    snprintf(path, sizeof path, "%s/state.data", folder);
    bool ok = write_data(state, path, grains, box);
    snprintf(path, sizeof path, "%s/in.chute", folder);
    FILE *out = ok ? fopen(path, "w") : NULL;
    ok = out && fputs(script, out) >= 0;
    if (out) ok &= fclose(out) == 0;
    ok = ok && run_program(program ? program : "lmp", folder);
    snprintf(path, sizeof path, "%s/log.out", folder);
    ok = ok && read_log(path, grains, result);
    static const char *const files[] = {"state.data", "in.chute", "log.out", "log.err"};
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        unlink(path);
    }
    rmdir(folder);
    if (!ok)
        fprintf(stderr,
                "scree bench: no comparison: `%s` is not installed or failed (tools/setup --bench "
                "installs it)\n",
                program ? program : "lmp");
    return ok;
}

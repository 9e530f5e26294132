/* Results: any catalogue of a file of results, as the child that reads HDF5 files would hand it over
 * (base/h5_reader.h), and any numbers it may point at. What this process makes of them must be safe even if the child
 * lies. The linker puts our scr_h5_survey and scr_disk_read in the place of theirs.
 *
 * The first byte of an input says whether the file is an index or a checkpoint, the next four how long the catalogue is
 * that follows, and the rest are the bytes of the file. CATALOGUE_OF=FILE inside_results prints this for a good file,
 * from the length on. */
#include <fcntl.h>

#include "base/h5_reader.h"
#include "base/os.h"
#include "scree/scree.h"
#include "tests/fuzz/inside.h"
#include "world/checkpoint.h"

scree_status __wrap_scr_h5_survey(scr_h5_reader *reader, int fd, uint64_t size, scr_h5_catalogue *c, char *why);
int __wrap_scr_disk_read(int fd, uint64_t offset, void *data, size_t size);
int __real_scr_disk_read(int fd, uint64_t offset, void *data, size_t size);

static char folder[] = P_tmpdir "/scree-fuzz-XXXXXX", index_path[64], checkpoint_path[64];
static const uint8_t *catalogue, *numbers; // of the input
static uint32_t catalogue_size;
static size_t numbers_size;
static bool surveyed;

scree_status __wrap_scr_h5_survey(scr_h5_reader *reader, int fd, uint64_t size, scr_h5_catalogue *c, char *why)
{
    (void)reader, (void)fd, (void)size;
    char *bytes = inside_text(catalogue, catalogue_size);
    scree_status status = scr_h5_catalogue_init(c, bytes, catalogue_size);
    if (status) snprintf(why, SCR_H5_WHY, "is no catalogue");
    surveyed = true;
    return status;
}

// a file is what its seal says until it is open, then what the input says, with zeros behind
int __wrap_scr_disk_read(int fd, uint64_t offset, void *data, size_t size)
{
    if (!surveyed) return __real_scr_disk_read(fd, offset, data, size);
    size_t there = offset < numbers_size ? numbers_size - (size_t)offset : 0;
    if (there > size) there = size;
    memset(data, 0, size);
    if (there) memcpy(data, numbers + offset, there);
    return 0;
}

static void tidy(void)
{
    unlink(index_path);
    unlink(checkpoint_path);
    rmdir(folder);
}

// a sealed file, as long as those that inputs are made of
static void make_file(char *path, const char *name, const char *kind)
{
    static double zeros[1 << 15];
    const scr_h5_set set = {"zeros", SCR_H5_F64, 1, NULL, NULL};
    scree_report report;
    scree_report_init(&report);
    snprintf(path, sizeof index_path, "%s/%s", folder, name);
    scr_h5 *file = scr_h5_create(path, &report);
    CHECK_INSIDE(file);
    scr_h5_write(file, &set, 1 << 15, zeros);
    CHECK_INSIDE(!scr_h5_finish(file, kind, "", NULL));
    scree_report_deinit(&report);
}

static void print_seed(const char *path)
{
    scree_report report;
    scree_report_init(&report);
    char *found = NULL;
    size_t size = 0, length = 0;
    char *file = scr_file_read(path, (size_t)1 << 20, &size, &report);
    int fd = open(path, O_RDONLY);
    CHECK_INSIDE(file && fd >= 0 && !scr_h5_walk(fd, size, &found, &length));
    uint32_t head = (uint32_t)length;
    fwrite(&head, sizeof head, 1, stdout);
    fwrite(found, 1, length, stdout);
    fwrite(file, 1, size, stdout);
    _exit(fflush(stdout) != 0);
}

static FILE *prepare(void)
{
    if (getenv("CATALOGUE_OF")) print_seed(getenv("CATALOGUE_OF"));
    CHECK_INSIDE(mkdtemp(folder));
    atexit(tidy);
    make_file(index_path, "results.h5", "results");
    make_file(checkpoint_path, "checkpoint.h5", SCR_CHECKPOINT_KIND);
    return fopen("/dev/null", "w");
}

static void read_checkpoint(scree_report *report)
{
    scr_world world;
    scr_world_init(&world);
    inside_judge(scr_checkpoint_read(checkpoint_path, &world, NULL, report), report);
    scr_world_deinit(&world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    const size_t head = 1 + sizeof catalogue_size;
    scree_report report;
    if (!nowhere) nowhere = prepare();
    CHECK_INSIDE(nowhere);
    if (size < head) return 0;
    memcpy(&catalogue_size, data + 1, sizeof catalogue_size);
    if (catalogue_size > size - head) catalogue_size = (uint32_t)(size - head);
    catalogue = data + head, numbers = catalogue + catalogue_size;
    numbers_size = size - head - catalogue_size;
    surveyed = false;
    scree_report_init(&report);
    if (*data % 2)
        read_checkpoint(&report);
    else
        inside_judge(scree_results_info(index_path, nowhere, &report), &report);
    scree_report_deinit(&report);
    return 0;
}

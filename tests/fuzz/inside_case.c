/* case.yaml: any YAML, read as the file of a case. */
#include <sys/stat.h>

#include "study/case.h"
#include "tests/fuzz/inside.h"

static char folder[] = P_tmpdir "/scree-fuzz-XXXXXX";

static void tidy(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/case/case.yaml", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/case", folder);
    rmdir(path);
    rmdir(folder);
}

// FOLDER/case/case.yaml leads to the file in memory
static void prepare(const char *file)
{
    char path[64];
    CHECK_INSIDE(mkdtemp(folder));
    atexit(tidy);
    snprintf(path, sizeof path, "%s/case", folder);
    CHECK_INSIDE(!mkdir(path, 0700));
    snprintf(path, sizeof path, "%s/case/case.yaml", folder);
    CHECK_INSIDE(!symlink(file, path));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool prepared;
    const char *file = inside_file(data, size);
    if (!prepared) prepare(file);
    prepared = true;
    scr_case c;
    scree_report report;
    scree_report_init(&report);
    inside_judge(scr_case_open(&c, folder, "case", &report), &report);
    scr_case_close(&c);
    scree_report_deinit(&report);
    return 0;
}

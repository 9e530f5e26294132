/* Feeds files to a target, one after the other: what libFuzzer does with files, where it is not at hand. A folder
 * stands for the files in it. */
#include <dirent.h>
#include <sys/stat.h>

#include "base/os.h"
#include "tests/fuzz/inside.h"

static int replay_file(const char *path)
{
    scree_report report;
    scree_report_init(&report);
    size_t size = 0;
    char *bytes = scr_file_read(path, (size_t)64 << 20, &size, &report);
    scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    if (!bytes) return 0;
    fprintf(stderr, "%s: %zu bytes\n", path, size);
    LLVMFuzzerTestOneInput((const uint8_t *)bytes, size);
    free(bytes);
    return 1;
}

static int replay_folder(const char *path)
{
    int count = 0;
    struct dirent **entries;
    int found = scandir(path, &entries, NULL, alphasort);
    for (int k = 0; k < found; k++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[k]->d_name);
        if (entries[k]->d_name[0] != '.') count += replay_file(name);
        free(entries[k]);
    }
    if (found >= 0) free(entries);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int k = 1; k < argc; k++) {
        struct stat info;
        bool folder = !stat(argv[k], &info) && S_ISDIR(info.st_mode);
        count += folder ? replay_folder(argv[k]) : replay_file(argv[k]);
    }
    printf("%d inputs\n", count);
    return !count;
}

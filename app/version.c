#include "app.h"

static int version(int argc, char **argv)
{
    (void)argc, (void)argv;
    printf("scree %s\n", scree_version());
    return 0;
}

const app_command app_version = {
    .name = "version",
    .usage = "",
    .doc = "print the version",
    .help = "",
    .main = version,
};

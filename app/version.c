#include "app.h"

static int version(int argc, char **argv)
{
    (void)argc, (void)argv;
    printf("scree %s\n", scree_version());
    for (int k = 0; k < scree_gpus(); k++) {
        char text[256];
        scree_gpu_text(k, text, sizeof text);
        printf("%s\n", text);
    }
    if (!scree_gpus()) printf("no GPU: %s\n", scree_gpus_missing());
    return 0;
}

const app_command app_version = {
    .name = "version",
    .usage = "",
    .doc = "print the version, and which GPUs there are",
    .help = "",
    .main = version,
};

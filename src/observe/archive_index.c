/* Reading the index of results: scene, what the world is made of, lists of frames and checkpoints, series. */
#include "observe/archive_index.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "world/checkpoint.h"

void scr_series_info_deinit(scr_series_info *info)
{
    for (int k = 0; k < info->column_count; k++) {
        if (info->columns) free(info->columns[k]);
        if (info->units) free(info->units[k]);
    }
    free(info->columns), free(info->units), free(info->widths);
    free(info->name), free(info->kind);
    free(info->bin_name), free(info->bin_unit), free(info->bin_values);
    *info = (scr_series_info){0};
}

// a column's place among the columns is an attribute, since HDF5 lists names in alphabetical order
static scree_status column_read(const scr_h5 *index, const char *path, const char *name, scr_series_info *info)
{
    int64_t place = -1;
    scr_h5_type type;
    size_t rows;
    int width;
    char *set, *unit = NULL, *column = NULL;
    if (asprintf(&set, "%s/%s", path, name) < 0) return scr_h5_no_memory(index, path);
    scree_status status = scr_h5_get_i64(index, set, "column", &place, 1);
    if (!status) status = scr_h5_get_text(index, set, "unit", &unit);
    if (!status) status = scr_h5_get_text(index, set, "name", &column);
    if (!status) status = scr_h5_shape(index, set, &type, &rows, &width);
    if (!status && (place < 0 || place >= info->column_count || info->columns[place]))
        status = scr_h5_wrong(index, set, "has a column number that is out of range or taken");
    if (!status && (type != SCR_H5_F64 || rows != info->count || (width != 1 && (width != info->bins || place == 0))))
        status = scr_h5_wrong(index, set, "has the wrong type or shape");
    if (status)
        free(unit), free(column);
    else
        info->columns[place] = column, info->units[place] = unit, info->widths[place] = width;
    free(set);
    return status;
}

// where the bins are
static scree_status bins_read(const scr_h5 *index, scr_series_info *info)
{
    scr_h5_type type;
    size_t rows;
    char *path = scr_h5_path("/bins", info->name);
    if (!path) return scr_h5_no_memory(index, "/bins");
    scree_status status = scr_h5_shape(index, path, &type, &rows, &info->bin_width);
    if (!status && (type != SCR_H5_F64 || rows != (size_t)info->bins || info->bin_width < 1))
        status = scr_h5_wrong(index, path, "has the wrong type or shape");
    if (!status) status = scr_h5_get_text(index, path, "name", &info->bin_name);
    if (!status) status = scr_h5_get_text(index, path, "unit", &info->bin_unit);
    if (!status) {
        info->bin_values = malloc((rows * (size_t)info->bin_width + 1) * sizeof(double));
        status = info->bin_values ? scr_h5_read_f64(index, path, rows, info->bin_width, info->bin_values)
                                  : scr_h5_no_memory(index, path);
    }
    free(path);
    return status;
}

static scree_status columns_read(const scr_h5 *index, const char *path, scr_series_info *info)
{
    char **names;
    int count;
    scree_status status = scr_h5_list(index, path, true, &names, &count);
    if (status) return status;
    if (count < 1) status = scr_h5_wrong(index, path, "has no time column");
    info->columns = calloc((size_t)count + 1, sizeof *info->columns);
    info->units = calloc((size_t)count + 1, sizeof *info->units);
    info->widths = calloc((size_t)count + 1, sizeof *info->widths);
    if (info->columns && info->units && info->widths)
        info->column_count = count;
    else
        status = scr_h5_no_memory(index, path);
    for (int k = 0; !status && k < count; k++) status = column_read(index, path, names[k], info);
    free(names);
    return status;
}

static scree_status series_read(const scr_h5 *index, const char *path, scr_series_info *info)
{
    int64_t rows, bins;
    scree_status status;
    if ((status = scr_h5_get_text(index, path, "name", &info->name)) ||
        (status = scr_h5_get_text(index, path, "kind", &info->kind)) ||
        (status = scr_h5_get_i64(index, path, "rows", &rows, 1)) ||
        (status = scr_h5_get_i64(index, path, "bins", &bins, 1)))
        return status;
    if (rows < 0 || bins < 0 || bins > INT_MAX / 8)
        return scr_h5_wrong(index, path, "has an impossible number of rows or bins");
    info->count = (size_t)rows;
    info->bins = (int)bins;
    if (bins && (status = bins_read(index, info))) return status;
    return columns_read(index, path, info);
}

static scree_status all_series_read(scr_archive *a)
{
    char **names;
    int count;
    scree_status status = scr_h5_list(a->index, "/series", false, &names, &count);
    if (status) return status;
    bool *seen = calloc((size_t)count + 1, sizeof *seen);
    a->series = calloc((size_t)count + 1, sizeof *a->series);
    if (!seen || !a->series)
        status = scr_h5_no_memory(a->index, "/series");
    else
        a->series_count = count;
    for (int k = 0; !status && k < count; k++) {
        int64_t place;
        char *path;
        if (asprintf(&path, "/series/%s", names[k]) < 0) {
            status = scr_h5_no_memory(a->index, "/series");
            break;
        }
        status = scr_h5_get_i64(a->index, path, "index", &place, 1);
        if (!status && (place < 0 || place >= count || seen[place]))
            status = scr_h5_wrong(a->index, path, "has an index that is out of range or taken");
        if (!status) {
            seen[place] = true;
            status = series_read(a->index, path, &a->series[place]);
        }
        free(path);
    }
    free(seen);
    free(names);
    return status;
}

// results of earlier versions have none
static scree_status words_read(scr_archive *a)
{
    if (scr_h5_has(a->index, "/scene/words")) return scr_h5_read_text(a->index, "/scene/words", &a->words);
    a->words = strdup("");
    return a->words ? SCREE_OK : scr_h5_no_memory(a->index, "/scene/words");
}

static scree_status solids_read(scr_archive *a)
{
    if (!scr_h5_has(a->index, "/solids")) return SCREE_OK;
    scree_status status = scr_solids_read(a->index, &a->world);
    return status ? status : scr_cell_mesh_read(a->index, &a->world);
}

// runs on one rank have no balance, those on the CPU no device
static void machine_read(scr_archive *a)
{
    scree_report unheard;
    double numbers[3];
    scree_report_init(&unheard);
    scr_h5_report_to(a->index, &unheard);
    scr_h5_get_text(a->index, "/", "device", &a->device);
    if (!scr_h5_get_i64(a->index, "/", "ranks", &a->balance.ranks, 1) &&
        !scr_h5_get_f64(a->index, "/", "ranks_balance", numbers, 3))
        a->balance.pairs = numbers[0], a->balance.worst = numbers[1], a->balance.cost = numbers[2];
    scree_report_deinit(&unheard);
}

scree_status scr_archive_index_read(scr_archive *a, scree_report *report)
{
    machine_read(a);
    scr_h5_report_to(a->index, report);
    const char *folder = scr_base_name(a->folder);
    scree_status status;
    if ((status = scr_h5_version_check(a->index, SCR_RESULTS_VERSION)) ||
        (status = scr_h5_get_text(a->index, "/", "scree_version", &a->version)) ||
        (status = scr_h5_get_text(a->index, "/", "created", &a->created)) ||
        (status = scr_h5_get_text(a->index, "/", "title", &a->title)) ||
        (status = scr_run_id_read(a->index, &a->run)) ||
        (status = scr_h5_read_text(a->index, "/scene/text", &a->scene_text)) ||
        (status = scr_h5_read_text(a->index, "/scene/path", &a->scene_path)) || (status = words_read(a)) ||
        (status = scr_domain_read(a->index, &a->world)) || (status = scr_names_read(a->index, &a->world)) ||
        (status = scr_walls_read(a->index, &a->world, a->world.material_count)) ||
        (status = scr_stages_read(a->index, &a->world)) || (status = solids_read(a)) ||
        (status = scr_entries_read(a->index, "frames", folder, &a->frames)) ||
        (status = scr_entries_read(a->index, "checkpoints", folder, &a->checkpoints)) ||
        (status = scr_entries_read(a->index, "pieces", folder, &a->pieces)))
        return status;
    scr_text_tame(a->scene_path, "");
    return all_series_read(a);
}

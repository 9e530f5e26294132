#include "shape/voronoi_cells.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include <voro++/voro++.hh>

namespace
{

// what voro++ says of one cell
struct raw {
    std::vector<int> neighbours,
        lists; // lists: for each face the number of corners, then the corners
    std::vector<double> x;
    double centre[3];
    bool there;
};

template <class T> T *fresh(size_t count)
{
    T *data = static_cast<T *>(malloc(std::max<size_t>(count, 1) * sizeof(T)));
    if (!data) throw std::bad_alloc();
    return data;
}

void compute(const scr_voronoi_space *s, const double *seeds, size_t count, bool only_centres,
             std::vector<raw> &cells)
{
    int blocks[3];
    for (int a = 0; a < 3; a++) // about six seeds in each
        blocks[a] = std::min(1000, std::max(1, (int)((s->high[a] - s->low[a]) / 1.8)));
    voro::container box(s->low[0], s->high[0], s->low[1], s->high[1], s->low[2], s->high[2],
                        blocks[0], blocks[1], blocks[2], s->periodic[0], s->periodic[1],
                        s->periodic[2], 8);
    std::vector<voro::wall_plane> walls; // the container points to them: they must not move
    walls.reserve((size_t)s->plane_count);
    for (int k = 0; k < s->plane_count; k++) {
        const double *p = s->planes + 4 * k;
        walls.emplace_back(p[0], p[1], p[2], p[3], -7 - k);
        box.add_wall(walls.back());
    }
    for (size_t k = 0; k < count; k++)
        box.put((int)k, seeds[3 * k], seeds[3 * k + 1], seeds[3 * k + 2]);
    voro::c_loop_all loop(box);
    voro::voronoicell_neighbor cell;
    if (!loop.start()) return;
    do {
        if (!box.compute_cell(cell, loop)) continue;
        raw &c = cells[(size_t)loop.pid()];
        double x, y, z;
        loop.pos(x, y, z);
        cell.centroid(c.centre[0], c.centre[1], c.centre[2]);
        c.centre[0] += x, c.centre[1] += y, c.centre[2] += z;
        c.there = true;
        if (only_centres) continue;
        cell.neighbors(c.neighbours);
        cell.face_vertices(c.lists);
        cell.vertices(x, y, z, c.x);
    } while (loop.inc());
}

// all cells in the order of their seeds, in flat arrays
void flatten(const std::vector<raw> &cells, scr_voronoi_cells *out)
{
    size_t faces = 0, corners = 0, places = 0;
    for (const raw &c : cells) {
        faces += c.neighbours.size(), corners += c.lists.size() - c.neighbours.size();
        places += c.x.size() / 3;
    }
    out->face_count = faces, out->place_count = places;
    out->first_face = fresh<size_t>(cells.size() + 1);
    out->first_corner = fresh<size_t>(faces + 1);
    out->neighbour = fresh<int>(faces);
    out->corners = fresh<int>(corners);
    out->x = fresh<double>(3 * places);
    out->centres = fresh<double>(3 * cells.size());
    faces = corners = places = 0;
    for (size_t k = 0; k < cells.size(); k++) {
        const raw &c = cells[k];
        out->first_face[k] = faces;
        std::copy(c.centre, c.centre + 3, out->centres + 3 * k);
        std::copy(c.x.begin(), c.x.end(), out->x + 3 * places);
        size_t at = 0;
        for (int neighbour : c.neighbours) {
            out->first_corner[faces] = corners;
            out->neighbour[faces++] = neighbour;
            for (int n = c.lists[at++]; n > 0; n--)
                out->corners[corners++] = (int)places + c.lists[at++];
        }
        places += c.x.size() / 3;
    }
    out->first_face[cells.size()] = faces;
    out->first_corner[faces] = corners;
}

} // namespace

long scr_voronoi_cells_build(const scr_voronoi_space *space, const double *seeds, size_t count,
                             bool only_centres, scr_voronoi_cells *out)
{
    memset(out, 0, sizeof *out);
    try {
        std::vector<raw> cells(count);
        compute(space, seeds, count, only_centres, cells);
        for (size_t k = 0; k < count; k++)
            if (!cells[k].there) return (long)k;
        flatten(cells, out);
        return -1;
    } catch (const std::bad_alloc &) {
        scr_voronoi_cells_deinit(out);
        return SCR_VORONOI_NO_MEMORY;
    }
}

void scr_voronoi_cells_deinit(scr_voronoi_cells *cells)
{
    free(cells->first_face);
    free(cells->first_corner);
    free(cells->neighbour);
    free(cells->corners);
    free(cells->x);
    free(cells->centres);
    memset(cells, 0, sizeof *cells);
}

double scr_voronoi_clip(const double *planes, int count, const double inside[3])
{
    try {
        voro::voronoicell_neighbor cell;
        cell.init(-2, 2, -2, 2, -2, 2);
        for (int k = 0; k < count; k++) {
            const double *p = planes + 4 * k;
            double away = p[3] - (p[0] * inside[0] + p[1] * inside[1] + p[2] * inside[2]);
            if (!cell.nplane(p[0], p[1], p[2], 2 * away, k + 1)) return -1;
        }
        std::vector<int> neighbours;
        cell.neighbors(neighbours);
        for (int n : neighbours)
            if (n <= 0) return -1;
        return cell.volume();
    } catch (const std::bad_alloc &) {
        return -1;
    }
}

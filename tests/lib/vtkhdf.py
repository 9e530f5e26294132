"""Whether a VTKHDF file with time is what the specification asks for (docs.vtk.org, VTKHDF file format 2.0: PolyData,
temporal data): vtkhdf.py FILE RESULTS. Every group, dataset and attribute is looked at, and each step is put together
twice, as the readers of VTK 9.3 and of 9.4 and later find its cells; it must be the frame of the results that it was
made of. Written from the specification alone."""
import sys

import h5py
import numpy as np

KINDS = ("Vertices", "Lines", "Polygons", "Strips")


def whole(dataset, shape, what):
    assert dataset.dtype.kind in "iu", f"{what} must be integers"
    assert dataset.shape == shape, f"{what} is {dataset.shape}, not {shape}"
    return dataset[:]


def check_head(v):
    version = v.attrs["Version"]
    assert version.shape == (2,) and version.dtype.kind == "i" and version[0] == 2, "Version"
    kind = v.attrs.get_id("Type").get_type()
    fixed = isinstance(kind, h5py.h5t.TypeStringID) and not kind.is_variable_str()
    assert fixed and kind.get_cset() == h5py.h5t.CSET_ASCII, "Type: a fixed ASCII text"
    assert v.attrs["Type"] == b"PolyData", "Type"
    assert set(v) == {*KINDS, "NumberOfPoints", "PointData", "Points", "Steps"}, sorted(v)


def check_steps(v):
    """Steps and what the parts have: (number of steps, start of each in points, in cells, in connectivity)."""
    s = v["Steps"]
    n = int(s.attrs["NSteps"])
    assert set(s) == {"Values", "PartOffsets", "NumberOfParts", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets",
                      "PointDataOffsets"}, sorted(s)
    assert s["Values"].shape == (n,) and s["Values"].dtype.kind == "f"
    assert (np.diff(s["Values"][:]) > 0).all(), "times grow"
    assert list(whole(s["NumberOfParts"], (n,), "NumberOfParts")) == [1] * n
    assert list(whole(s["PartOffsets"], (n,), "PartOffsets")) == list(range(n)), "a part after the other"
    points = whole(v["NumberOfPoints"], (n,), "NumberOfPoints")
    first = whole(s["PointOffsets"], (n,), "PointOffsets")
    assert list(first) == [0, *np.cumsum(points)[:-1]], "PointOffsets"
    assert v["Points"].shape == (points.sum(), 3) and v["Points"].dtype.kind == "f", "Points"
    assert set(s["PointDataOffsets"]) == set(v["PointData"]), "an offset for each array"
    for name, data in v["PointData"].items():
        assert len(data) == points.sum() and "/" not in name and "." not in name, name
        assert list(whole(s["PointDataOffsets"][name], (n,), name)) == list(first), name
    return n, whole(s["CellOffsets"], (n, 4), "CellOffsets"), whole(s["ConnectivityIdOffsets"], (n, 4),
                                                                    "ConnectivityIdOffsets")


def check_cells(v, n):
    for kind in KINDS:
        group = v[kind]
        assert set(group) == {"NumberOfCells", "NumberOfConnectivityIds", "Connectivity", "Offsets"}, sorted(group)
        cells = whole(group["NumberOfCells"], (n,), kind)
        ids = whole(group["NumberOfConnectivityIds"], (n,), kind)
        whole(group["Connectivity"], (ids.sum(),), f"{kind}/Connectivity")
        whole(group["Offsets"], ((cells + 1).sum(),), f"{kind}/Offsets")


def place_93(counts, start, step):
    """Of a step in Offsets: one more for each part before."""
    return start + step


def place_94(counts, start, step):
    """... for each part before, until the cells of the start are reached."""
    parts = total = 0
    for count in counts[:step]:
        if total >= start:
            break
        parts, total = parts + 1, total + count
    return start + parts


def cells_of(v, k, kind, cell_start, id_start, place):
    group, at = v[kind], KINDS.index(kind)
    counts = group["NumberOfCells"][:]
    begin = place(counts, cell_start[k, at], k)
    offsets = group["Offsets"][begin:begin + counts[k] + 1]
    assert len(offsets) == counts[k] + 1, f"{kind} of step {k} end before they should"
    ids = group["Connectivity"][id_start[k, at]:id_start[k, at] + group["NumberOfConnectivityIds"][k]]
    return [list(ids[a:b]) for a, b in zip(offsets[:-1], offsets[1:])]


path, results = sys.argv[1:]
v, f = h5py.File(path)["VTKHDF"], h5py.File(results)
check_head(v)
n, cell_start, id_start = check_steps(v)
check_cells(v, n)
assert list(v["Steps/Values"][:]) == list(f["frame_times"][:]), "times are those of the frames"
for k in range(n):
    frame, first, count = f[f"frames/{k:06d}"], v["Steps/PointOffsets"][k], v["NumberOfPoints"][k]
    rows = slice(first, first + count)
    assert count == len(frame["id"]) and np.array_equal(v["Points"][rows], frame["position"][:]), f"points of step {k}"
    for name, data in v["PointData"].items():
        assert np.array_equal(data[rows], frame[name][:]), f"{name} of step {k}"
    for place in (place_93, place_94):
        # readers of 9.4 lose a part without cells that stands directly before
        if place is place_94 and k and v["NumberOfPoints"][k - 1] == 0:
            continue
        assert cells_of(v, k, "Vertices", cell_start, id_start,
                        place) == [[j] for j in range(count)], f"vertices of step {k}, {place.__name__}"
        assert not any(cells_of(v, k, kind, cell_start, id_start, place)
                       for kind in KINDS[1:]), f"other cells of step {k}"
print(f"{n} steps, {v['NumberOfPoints'][:].sum()} points, {len(v['PointData'])} arrays")

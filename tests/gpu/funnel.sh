#!/bin/bash
# A funnel of triangles as an OBJ file: funnel.sh AROUND RADIUS HEIGHT UP [RADIUS HEIGHT UP]... Rings of AROUND corners
# at these radii and heights; UP rows of triangles lead to the next.
awk -v n="$1" -v rings="${*:2}" 'BEGIN {
    count = split(rings, a, " ")
    for (k = 1; k + 2 <= count; k += 3) {
        up = k + 5 <= count ? a[k + 2] : 1
        for (m = 0; m < up; m++) {
            f = m / up
            r = a[k] + f * (a[k + 3] - a[k]); z = a[k + 1] + f * (a[k + 4] - a[k + 1])
            if (k + 5 > count) { r = a[k]; z = a[k + 1] }
            for (j = 0; j < n; j++) {
                angle = j * 6.283185307179586 / n
                printf "v %.9g %.9g %.9g\n", r * cos(angle), r * sin(angle), z
            }
            rows++
        }
    }
    for (m = 0; m + 1 < rows; m++)
        for (j = 0; j < n; j++) {
            p = m * n + j + 1; q = m * n + (j + 1) % n + 1
            printf "f %d %d %d\nf %d %d %d\n", p, q, p + n, q, q + n, p + n
        }
}'

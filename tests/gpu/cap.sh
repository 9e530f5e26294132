#!/bin/bash
# Small grains on the lower side of a ball about the origin, as a table: cap.sh COUNT RADIUS DIAMETER. RADIUS is that
# of the sphere of their centres.
awk -v n="$1" -v r="$2" -v d="$3" 'BEGIN {
    print "diameter,x,y,z"
    for (k = 0; k < n; k++) { # even over the sphere, along a spiral, 1.3 diameters apart
        z = -1 + 1.69 * (k + 0.5) * d * d / (2 * 3.141592653589793 * r * r)
        angle = 2.399963229728653 * k
        printf "%.9g,%.9g,%.9g,%.9g\n", d, r * sqrt(1 - z * z) * cos(angle), r * sqrt(1 - z * z) * sin(angle), r * z
    }
}'

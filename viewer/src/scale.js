// The scale bar: a round length in sight, with a unit that fits it.

const UNITS = [[1e3, 'km'], [1, 'm'], [1e-2, 'cm'], [1e-3, 'mm'], [1e-6, 'µm'], [1e-9, 'nm']];

/** A length for a person: 20 mm, 50 µm. */
export function sayLength(x, digits = 4) {
    const size = Math.abs(x);
    if (!(size > 0)) return '0 m';
    // centimetres only where they are usual: no 0.5 cm for 5 mm
    const [factor, unit] = UNITS.filter(([, u]) => u !== 'cm').find(([f]) => size >= 0.99999 * f)
        ?? UNITS[UNITS.length - 1];
    return `${Number((x / factor).toPrecision(digits))} ${unit}`;
}

/** { length, pixels, text } of a bar of about `wanted` pixels, when a unit of length has so many. */
export function scaleBar(perLength, wanted = 120) {
    const rough = wanted / perLength;
    const power = 10 ** Math.floor(Math.log10(rough));
    const length = power * ([5, 2, 1].find((k) => k * power <= rough) ?? 1);
    return { length, pixels: length * perLength, text: sayLength(length) };
}

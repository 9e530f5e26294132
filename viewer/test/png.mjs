// Pictures as numbers: enough PNG for screenshots, and what is seen in them.
import { inflateSync } from 'node:zlib';

/** { width, height, at(x, y) -> [r, g, b] } of a PNG with 8 bits and no interlace. */
export function decode(png) {
    const width = png.readUInt32BE(16);
    const height = png.readUInt32BE(20);
    const channels = { 2: 3, 6: 4 }[png[25]];
    if (png[24] !== 8 || !channels) throw new Error('not an RGB picture with 8 bits');
    const parts = [];
    for (let at = 8; at < png.length; ) {
        const length = png.readUInt32BE(at);
        if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
        at += 12 + length;
    }
    const raw = inflateSync(Buffer.concat(parts));
    const row = width * channels;
    const data = Buffer.alloc(row * height);
    const paeth = (a, b, c) => {
        const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    };
    for (let y = 0; y < height; y++) {
        const filter = raw[y * (row + 1)];
        for (let x = 0; x < row; x++) {
            const a = x >= channels ? data[y * row + x - channels] : 0;
            const b = y ? data[(y - 1) * row + x] : 0;
            const c = y && x >= channels ? data[(y - 1) * row + x - channels] : 0;
            const add = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
            data[y * row + x] = raw[y * (row + 1) + 1 + x] + add;
        }
    }
    return { width, height, at: (x, y) => [...data.subarray((y * width + x) * channels, (y * width + x) * channels + 3)] };
}

/** Connected regions that differ from the colour of the corner: { area, x, y, left, right, top, bottom }, in reading order. */
export function blobs(picture, least = 12) {
    const { width, height, at } = picture;
    const ground = at(1, 1);
    const seen = new Uint8Array(width * height);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) seen[y * width + x] = at(x, y).every((v, k) => Math.abs(v - ground[k]) < 18) ? 1 : 0;
    const list = [];
    for (let start = 0; start < seen.length; start++) {
        if (seen[start]) continue;
        const blob = { area: 0, x: 0, y: 0, left: width, right: 0, top: height, bottom: 0 };
        const stack = [start];
        seen[start] = 1;
        while (stack.length) {
            const p = stack.pop();
            const [x, y] = [p % width, Math.floor(p / width)];
            blob.area++;
            blob.x += x;
            blob.y += y;
            blob.left = Math.min(blob.left, x);
            blob.right = Math.max(blob.right, x);
            blob.top = Math.min(blob.top, y);
            blob.bottom = Math.max(blob.bottom, y);
            for (const [q, ok] of [[p - 1, x > 0], [p + 1, x + 1 < width], [p - width, y > 0], [p + width, y + 1 < height]])
                if (ok && !seen[q]) (seen[q] = 1), stack.push(q);
        }
        blob.x /= blob.area;
        blob.y /= blob.area;
        if (blob.area >= least) list.push(blob);
    }
    return list;
}

// Pictures as numbers: enough PNG for screenshots, and what is seen in them.
import { inflateSync } from 'node:zlib';

/** { width, height, data, channels, at(x, y) -> [r, g, b] } of a PNG with 8 bits and no interlace. */
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
        const pa = Math.abs(b - c);
        const pb = Math.abs(a - c);
        const pc = Math.abs(a + b - 2 * c);
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    };
    for (let y = 0; y < height; y++) {
        const filter = raw[y * (row + 1)];
        for (let x = 0; x < row; x++) {
            const a = x >= channels ? data[y * row + x - channels] : 0;
            const b = y ? data[(y - 1) * row + x] : 0;
            const c = y && x >= channels ? data[(y - 1) * row + x - channels] : 0;
            const add = filter === 0 ? 0 : filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1
                : paeth(a, b, c);
            data[y * row + x] = raw[y * (row + 1) + 1 + x] + add;
        }
    }
    return { width, height, data, channels,
        at: (x, y) => [...data.subarray((y * width + x) * channels, (y * width + x) * channels + 3)] };
}

/** Connected regions that differ from the colour of the corner: { area, x, y, left, right, top, bottom }, in reading
 *  order. */
export function blobs(picture, least = 12) {
    const { width, height, data, channels } = picture;
    const ground = picture.at(1, 1);
    const seen = new Uint8Array(width * height);
    for (let p = 0, k = 0; p < seen.length; p++, k += channels) {
        const apart = Math.max(Math.abs(data[k] - ground[0]), Math.abs(data[k + 1] - ground[1]),
            Math.abs(data[k + 2] - ground[2]));
        seen[p] = apart < 18 ? 1 : 0;
    }
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
            const visit = (q, within) => within && !seen[q] && ((seen[q] = 1), stack.push(q));
            visit(p - 1, x > 0);
            visit(p + 1, x + 1 < width);
            visit(p - width, y > 0);
            visit(p + width, y + 1 < height);
        }
        blob.x /= blob.area;
        blob.y /= blob.area;
        if (blob.area >= least) list.push(blob);
    }
    return list;
}

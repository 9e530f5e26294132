// A movie of the frames as WebM, recorded by the browser while they are shown one after the other.

const HEAD = 400; // bytes: a movie without a frame has fewer
const PATIENCE = 3000; // [ms] for a frame to be encoded
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

/** Whether this browser can. */
export const canRecord = () => typeof MediaRecorder !== 'undefined'
    && TYPES.some((t) => MediaRecorder.isTypeSupported(t));

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Shows frames 0 to count - 1 by `show(frame)`, draws each by `paint()` (a canvas), `fps` of them a second.
 *  `stopped()` ends it early. A blob, or null when nothing was recorded. */
export async function record({ count, fps, show, paint, stopped }) {
    const first = paint();
    const canvas = document.createElement('canvas');
    // encoders want even sizes
    [canvas.width, canvas.height] = [first.width & ~1, first.height & ~1];
    const c = canvas.getContext('2d');
    const type = TYPES.find((t) => MediaRecorder.isTypeSupported(t));
    const recorder = new MediaRecorder(canvas.captureStream(0), { mimeType: type, videoBitsPerSecond: 8e6 });
    const track = recorder.stream.getVideoTracks()[0];
    const parts = [];
    const size = () => parts.reduce((sum, part) => sum + part.size, 0);
    recorder.ondataavailable = (e) => e.data.size && parts.push(e.data);
    const ended = new Promise((done) => (recorder.onstop = done));
    recorder.start();
    // what comes while it pauses is lost: a slow machine is waited for
    const encoded = async (before) => {
        for (const start = performance.now(); size() <= before && performance.now() - start < PATIENCE;) {
            recorder.requestData();
            await wait(20);
        }
    };
    for (let frame = 0; frame < count && !stopped(); frame++) {
        recorder.pause(); // the time it takes to load is no part of the movie
        if (!(await show(frame))) continue;
        c.drawImage(paint(), 0, 0);
        recorder.resume();
        const before = Math.max(size(), HEAD);
        track.requestFrame();
        await wait(1000 / fps);
        await encoded(before);
    }
    recorder.stop();
    await ended;
    return parts.length ? new Blob(parts, { type: 'video/webm' }) : null;
}

// Two runs side by side, each in a page of its own (src/view/server.c), with one clock and one camera: what a user does
// in one is told to the other.
import { h } from './dom.js';

/** The page around both. */
export function showBoth(paths, names) {
    document.body.replaceChildren(...paths.map((path, k) => h('iframe',
        { src: `${path}${location.hash}`, title: names[k] ?? path })));
    document.body.className = 'both';
}

/** Tells the other page of `say(what)` and gets what it tells; nothing where there is none. */
export class Twin {
    constructor(hear) {
        this.channel = null;
        if (window.parent === window || !/\/[12]\/$/.test(location.pathname)) return;
        this.channel = new BroadcastChannel('scree-twins');
        this.channel.onmessage = (e) => hear(e.data);
    }

    say(what) {
        this.channel?.postMessage(what);
    }
}

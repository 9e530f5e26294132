// The viewer's client: its parts are put together here.
import * as THREE from 'three';
import './style.css';
import { Problem, getJson, inside } from './api.js';
import { Twin, showBoth } from './beside.js';
import { choose } from './choose.js';
import { shades } from './colours.js';
import { $, remembered } from './dom.js';
import { applyColours, remember, showBar } from './draw.js';
import { fetchFrame, readable } from './frames.js';
import { Histogram } from './histogram.js';
import { listen } from './keys.js';
import { linkOf, readLink, setEye } from './link.js';
import { adopt, follow, poll } from './live.js';
import { buildPanel } from './panel.js';
import { Picked } from './picked.js';
import { contentBox, contentPoints, domainBox } from './places.js';
import { Plots } from './plots.js';
import { LOOKS, act, setFilter, setTheme } from './settings.js';
import { go, setField } from './show.js';
import { Stage } from './stage.js';
import { be, complain, histogram, nearest, plain, plots, ranges, run, s, shown, stage, timeline,
    twin } from './state.js';
import { Timeline } from './timeline.js';

const BOND_SIZE = 0.6; // where there are bonds

const NO_WEBGL = 'This browser has no WebGL 2, which the view needs. Turn on hardware acceleration in its settings, or '
    + 'use a current Firefox or Chromium. Without it, scree render makes images, and scree report a page with plots.';

// what the address asks for, beyond the frame and the camera
function takeLink(link) {
    Object.assign(s, link.settings);
    if (!(s.map in run.maps)) s.map = plain.map;
    if (link.by !== null && run.fields.some((f) => f.by === link.by)) s.by = link.by;
    if (link.range) ranges[s.by] = s.range = link.range;
    s.ownRange = Boolean(link.range);
    if (s.filter) setFilter(s.filter);
}

// what the other of two runs shows, this one shows too; what was told of is not told back
let hearing = false;
function hear({ time, eye }) {
    hearing = true;
    if (eye) setEye(stage, eye);
    hearing = false;
    if (time === undefined || shown.frame < 0 || nearest(time) === timeline.wanted) return;
    timeline.pause();
    timeline.wanted = nearest(time);
    go(timeline.wanted, true);
}

function onTurn() {
    remember();
    if (!hearing && shown.frame >= 0) twin?.say({ eye: readLink(linkOf(s, plain, shown.frame, stage)).eye });
}

function dragRange(low, high) {
    ranges[s.by] = s.range = s.log ? [10 ** low, 10 ** high] : [low, high];
    s.ownRange = true;
    applyColours();
    remember();
    stage.draw();
}

function makeParts() {
    be({
        stage: new Stage($('stage'), $('axes')),
        twin: new Twin(hear),
        histogram: new Histogram(dragRange, () => act.autoRange()),
        timeline: new Timeline($('time'), (frame) => go(frame), () => follow(!s.follow)),
        plots: new Plots($('plots'), (t) => timeline.user(nearest(t))),
    });
    stage.ondraw = showBar;
    stage.onturn = onTurn;
    timeline.onuser = () => follow(false);
}

// settings that follow from the run
function suitRun() {
    s.by = run.fields.some((f) => f.by === run.by) ? run.by : (run.fields[0]?.by ?? '');
    s.plots = run.series.length > 0 && innerWidth > 640;
    // bonds are between grains: these must leave them room
    if (run.bonds) s.size = BOND_SIZE;
    be({ plain: { ...s } });
}

function setLook() {
    stage.map(shades(run.maps[s.map]));
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', (e) => remembered('scree-theme') || setTheme(e.matches ? 'dark' : 'light'));
    setTheme(remembered('scree-theme') ?? (dark.matches ? 'dark' : 'light'));
    document.body.classList.toggle('plots', s.plots);
    $('plots-button').classList.toggle('on', s.plots);
    plots.show(s.plots);
    plots.set(run);
}

// the first picture: all that the first and the last frame have is in sight
async function showFirst(link) {
    const last = run.times.length - 1;
    if (last < 0) throw new Problem('there are no frames yet');
    const ends = await readable([...new Set([0, last])].map(fetchFrame));
    stage.bounds(contentBox(ends), domainBox(), contentPoints(ends));
    stage.fit(new THREE.Vector3(...LOOKS['']));
    if (s.parallel) stage.project(true);
    $('projection').classList.toggle('on', s.parallel);
    if (link.eye) setEye(stage, link.eye);
    await setField(s.by);
    await go(Math.min(link.frame ?? last, last));
}

async function start() {
    be({ run: await getJson('/api/run') });
    if (run.beside && window.parent === window) return showBoth(['./1/', './2/'], [run.file, run.beside]);
    if (!document.createElement('canvas').getContext('webgl2')) throw new Problem(NO_WEBGL);
    makeParts();
    suitRun();
    const link = readLink(inside ? '' : location.hash);
    $('menu').onclick = () => document.body.classList.toggle('open');
    Object.assign(s, link.settings);
    be({ picked: new Picked(buildPanel($('panel'), run, s, act, histogram.canvas), () => choose(null)) });
    takeLink(link);
    s.follow = run.live && link.frame === null;
    adopt(run);
    setLook();
    listen();
    if (!inside) setTimeout(poll, 1000);
    return showFirst(link);
}

start()
    .catch(complain)
    .finally(() => (document.body.dataset.ready = 'yes'));

// for tests, and for whoever looks behind the scenes
window.scree = { state: s, stage: () => stage, shown: () => shown, run: () => run, plots: () => plots };

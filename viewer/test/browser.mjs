// Drives the viewer in a real browser and compares pictures with what must be seen. Called by tests/viewer_browser.sh
// in a folder with grid.h5, slow.h5, grid.html, block.h5, pair.h5, broken.h5 and hopper.yaml; SCREE and CHROMIUM name
// the programs.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { blobs, decode } from './png.mjs';

let [passed, failed] = [0, 0];
function check(what, good, detail = '') {
    if (good) passed++;
    else failed++;
    console.log(`${good ? 'ok' : 'FAILED'}: ${what}${detail === '' ? '' : ` (${detail})`}`);
}
const near = (what, value, wanted, tolerance) =>
    check(what, Math.abs(value - wanted) <= tolerance,
        `${value.toPrecision(6)}, wanted ${wanted.toPrecision(6)} +- ${tolerance}`);

/* ---- programs ---- */

const children = [];

/** Starts scree; `address` is the first line of what it prints. */
async function start(...words) {
    const child = spawn(process.env.SCREE, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    let text = '';
    const ended = new Promise((done) => child.on('exit', (code) => done(code)));
    const address = await new Promise((done, fail) => {
        child.stdout.on('data', (part) => {
            text += part;
            const line = text.match(/http:\S+\n/);
            if (line) done(line[0].trim());
        });
        child.stderr.on('data', () => {});
        ended.then(() => fail(new Error(`scree ${words.join(' ')} ended without an address`)));
    });
    return { child, address, ended };
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: [
        '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
        '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
});

async function open(address, query = '') {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, colorScheme: 'dark' });
    page.setDefaultTimeout(60000);
    page.words = [];
    page.strangers = [];
    page.on('console', (m) => page.words.push(m.text()));
    page.on('pageerror', (e) => page.words.push(e.message));
    page.on('request', (r) => /^(data|blob):/.test(r.url()) || r.url().startsWith(address)
        || page.strangers.push(r.url()));
    await page.goto(address + query);
    await page.waitForSelector('body[data-ready=yes]');
    return page;
}

/* ---- looking ---- */

/** What was asked for is on the screen. */
const settled = (page) =>
    page.evaluate(() => new Promise((done) => {
        let left = 4;
        const next = () => (left-- ? requestAnimationFrame(next) : done());
        next();
    }));

/** The view without words over it. */
async function look(page) {
    await page.evaluate(() => {
        for (const id of ['head', 'legend', 'axes', 'problem', 'bar', 'menu', 'loading']) document.getElementById(id)
            .style.visibility = 'hidden';
    });
    await settled(page);
    return decode(await page.locator('#stage').screenshot());
}

async function frame(page, k) {
    await page.waitForFunction((n) => document.body.dataset.frame === String(n), k);
}

/** Front view, parallel, nothing but what there is to see. */
async function front(page) {
    await page.getByLabel('domain').uncheck();
    await page.keyboard.press('p');
    await settled(page);
    await page.keyboard.press('2');
    await page.click('#projection');
}

/* ---- tests ---- */

const radius = (k) => 0.03 + 0.001 * k;

async function grid() {
    const view = await start('view', 'grid.h5', '--no-open');
    const page = await open(view.address);
    check('title', (await page.textContent('#title')) === 'a grid of grains');
    check('facts', /frame 5 of 5 .* 35 grains/.test(await page.textContent('#facts')),
        await page.textContent('#facts'));

    // the ledger of free fall: potential energy at the left, kinetic at the right
    check('the ledger has its parts', /gravity/.test(await page.textContent('#chart .u-legend'))
        && /kinetic/.test(await page.textContent('#chart .u-legend')));
    const chart = page.locator('#chart .u-over');
    const plot = decode(await chart.screenshot());
    const [left, right] = [0.03, 0.97]
        .map((part) => plot.at(Math.round(part * plot.width), Math.round(0.6 * plot.height)));
    check('the plot is orange at the left', left[0] > left[2] + 60, left);
    check('and blue at the right', right[2] > right[0] + 20, right);
    const box = await chart.boundingBox();
    await page.mouse.click(box.x + 0.41 * box.width, box.y + box.height / 2);
    await frame(page, 2);
    check('a click into the plot goes there', (await page.inputValue('#slider')) === '2');

    // as many grains as there are, as large as they are
    await page.keyboard.press('End');
    await frame(page, 5);
    await front(page);
    const last = await look(page);
    const seen = blobs(last);
    check('35 grains are drawn', seen.length === 35, seen.length);
    const grains = seen.sort((a, b) => Math.round((a.y - b.y) / 20) || a.x - b.x);
    const scale = (grains[6].x - grains[0].x) / 1.2; // pixels in a metre
    const wanted = Array.from({ length: 35 }, (_, k) => Math.PI * (radius(k) * scale) ** 2);
    const sum = (list) => list.reduce((a, b) => a + b, 0);
    near('they cover what spheres cover', sum(grains.map((b) => b.area)) / sum(wanted), 1, 0.01); // off by 1e-4
    // 0.004
    near('each by its size, at worst', Math.max(...grains.map((b, k) => Math.abs(b.area / wanted[k] - 1))), 0, 0.03);

    // picking
    const at = async (blob) => {
        const b = await page.locator('#stage').boundingBox();
        return [b.x + blob.x, b.y + blob.y];
    };
    await page.mouse.click(...(await at(grains[17])));
    await page.waitForSelector('#picked table tr');
    check('the grain that was picked', (await page.textContent('#picked-name')) === '18',
        await page.textContent('#picked-name'));
    check('its radius', /radius\s*0\.047 m/.test(await page.textContent('#picked table')),
        await page.textContent('#picked table'));
    await page.waitForSelector('#picked .history canvas');
    await page.mouse.click(...(await at({ x: 5, y: 5 })));
    check('nothing is picked beside the grains', await page.locator('#picked').isHidden());

    // time
    await page.locator('#slider').focus();
    await page.keyboard.press('Home');
    await frame(page, 0);
    const first = blobs(await look(page)).sort((a, b) => Math.round((a.y - b.y) / 20) || a.x - b.x);
    // off by 3e-5
    near('the slider goes back in time: they have not fallen yet', (grains[0].y - first[0].y) / scale,
        (9.81 * 0.25 ** 2) / 2, 0.002);
    await page.click('#play');
    await frame(page, 5);
    await page.waitForSelector('#play[aria-label=play]');
    check('it plays to the end, and stops', (await page.inputValue('#slider')) === '5');

    // colours
    await page.selectOption('#field', 'radius');
    await page.waitForFunction(() => document.body.dataset.field === 'radius');
    const coloured = await look(page);
    const middle = (picture, blob) => picture.at(Math.round(blob.x), Math.round(blob.y));
    const [small, large] = [middle(coloured, grains[0]), middle(coloured, grains[34])];
    check('the smallest is violet', small[2] > small[1] + 30, small);
    check('the largest is yellow', large[0] > large[2] + 90 && large[1] > large[2] + 90, large);
    check('the legend says so', /radius \[m\]/.test(await page.textContent('#legend')));
    await page.selectOption('#map', 'grey');
    const grey = middle(await look(page), grains[34]);
    check('another colour map', Math.max(...grey) - Math.min(...grey) < 12, grey);

    // clipping: of seven columns three or four are left, and on the other side the others
    await page.selectOption('#clip-axis', 'x');
    const half = blobs(await look(page)).length;
    await page.getByLabel('other side').click();
    const others = blobs(await look(page)).length;
    check('a clipping plane takes the grains behind it', half + others === 35 && Math.abs(half - others) === 5,
        `${half} and ${others}`);
    await page.selectOption('#clip-axis', '');

    await page.keyboard.press('f');
    check('force chains need contacts, and the viewer says so',
        /output: \{contacts: true\}/.test(await page.textContent('#problem')));

    // looks
    const ground = (await look(page)).at(1, 1);
    await page.keyboard.press('t');
    const other = (await look(page)).at(1, 1);
    check('dark and light', Math.max(...ground) < 60 && Math.min(...other) > 200, `${ground} and ${other}`);
    const saving = page.waitForEvent('download');
    await page.click('#shot');
    const saved = await saving;
    const picture = decode(readFileSync(await saved.path()));
    check('a picture is saved', saved.suggestedFilename() === 'grid-0005.png' && picture.width > 400,
        `${saved.suggestedFilename()} ${picture.width} x ${picture.height}`);
    check('with the grains in it', blobs(picture).length >= 35);

    // the same as a graphics card would draw it, with smooth edges
    const card = await open(view.address, '?renderer=card');
    await front(card);
    const smooth = blobs(await look(card));
    check('35 grains are drawn for a graphics card', smooth.length === 35, smooth.length);
    // 0.03: edges count as whole pixels
    near('and cover as much', sum(smooth.map((b) => b.area)) / sum(wanted), 1, 0.08);
    check('no complaints of its shaders', card.words.length === 0, card.words.join('; '));
    await card.close();

    check('nothing from elsewhere', page.strangers.length === 0, page.strangers.join(' '));
    check('no complaints', page.words.length === 0, page.words.join('; '));
    await page.close();
    view.child.kill('SIGINT');
    check('the viewer ends with 0', (await view.ended) === 0);
}

/** Grains in reading order. */
const inOrder = (list) => list.sort((a, b) => Math.round((a.y - b.y) / 20) || a.x - b.x);

/** Clicks the middle of a blob. */
async function click(page, blob, options) {
    const b = await page.locator('#stage').boundingBox();
    if (options) await page.keyboard.down(options);
    await page.mouse.click(b.x + blob.x, b.y + blob.y);
    if (options) await page.keyboard.up(options);
}

// what one does with grains: find, hide, measure, list; and the link, which has all of it
async function finding() {
    const view = await start('view', 'grid.h5', '--no-open');
    const page = await open(view.address);
    await front(page);
    const grains = inOrder(blobs(await look(page)));
    const scale = (grains[6].x - grains[0].x) / 1.2;

    // the first view is filled by what there is in the first and the last frame
    await page.keyboard.press('0');
    const whole = blobs(await look(page));
    await page.keyboard.press('Home');
    await frame(page, 0);
    whole.push(...blobs(await look(page)));
    await page.keyboard.press('End');
    await frame(page, 5);
    const seen = await page.locator('#stage').boundingBox();
    const reach = Math.max(
        (Math.max(...whole.map((b) => b.right)) - Math.min(...whole.map((b) => b.left))) / seen.width,
        (Math.max(...whole.map((b) => b.bottom)) - Math.min(...whole.map((b) => b.top))) / seen.height);
    check('the first view is filled by what there is', reach > 0.85 && reach < 0.99, reach);
    await page.keyboard.press('2');

    // the scale bar: as many pixels as it says
    await settled(page);
    const bar = await page.evaluate(() => [document.querySelector('#bar i').getBoundingClientRect().width,
        document.querySelector('#bar span').textContent]);
    const metres = parseFloat(bar[1]) * (/ mm/.test(bar[1]) ? 1e-3 : 1);
    near(`the scale bar says ${bar[1]}`, bar[0] / metres / scale, 1, 0.01);

    // a filter: radii are 30 to 64 mm, 14 of them above 50.5 mm
    await page.fill('#filter', 'radius > 0.0505');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /14 of 35/.test(document.getElementById('facts').textContent));
    check('a filter leaves those for which it holds', blobs(await look(page)).length === 14);
    const least = inOrder(blobs(await look(page)));
    await click(page, least[0]);
    await page.waitForSelector('#picked table tr');
    check('a click finds the right one among them', (await page.textContent('#picked-name')) === '22',
        await page.textContent('#picked-name'));
    await page.keyboard.press('Escape');
    await page.fill('#filter', 'radius >');
    await page.keyboard.press('Enter');
    check('a filter that is wrong is told so', /missing/.test(await page.textContent('#filter-why')),
        await page.textContent('#filter-why'));
    await page.fill('#filter', 'radius > 0.04 and not (id == 35 or speed * 2 < 1)');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /23 of 35/.test(document.getElementById('facts').textContent));
    check('and, or, not', blobs(await look(page)).length === 23);
    await page.fill('#filter', '');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !/ of 35/.test(document.getElementById('facts').textContent));

    // groups
    check('a group has an eye', /svg/.test(await page.getByLabel('group g17')
        .evaluate((e) => getComputedStyle(e).maskImage)));
    await page.getByLabel('group g17').uncheck();
    await page.waitForFunction(() => /34 of 35/.test(document.getElementById('facts').textContent));
    const others = inOrder(blobs(await look(page)));
    check('a group is hidden', others.length === 34 && !others.some((b) =>
        Math.hypot(b.x - grains[17].x, b.y - grains[17].y) < 5), others.length);
    await page.getByLabel('group g17').check();
    await page.waitForFunction(() => !/ of 35/.test(document.getElementById('facts').textContent));

    // distance, lists
    await page.keyboard.press('d');
    await click(page, grains[0]);
    await click(page, grains[2]);
    check('a distance is measured', /centres 400 mm apart/.test(await page.textContent('#measured')),
        await page.textContent('#measured'));
    await page.keyboard.press('d');
    await click(page, grains[3], 'Shift');
    await click(page, grains[30], 'Shift');
    check('grains are listed', /^2 grains/.test(await page.textContent('#chosen'))
        && /31: /.test(await page.textContent('#chosen')), await page.textContent('#chosen'));

    // arrows and trails reach beyond the grains, down and up: they fall
    const free = [Math.round(grains[24].x), Math.round(grains[24].y)];
    const radiusThere = Math.round(1.35 * radius(24) * scale);
    const differs = (picture, dy) => Math.max(...picture.at(free[0], free[1] + dy)
        .map((v, k) => Math.abs(v - picture.at(1, 1)[k])));
    check('nothing below a grain', differs(await look(page), radiusThere) < 10);
    await page.keyboard.press('v');
    await page.waitForFunction(() => /arrows/.test(document.getElementById('legend').textContent));
    check('its box is ticked', await page.getByLabel('velocity arrows').isChecked());
    check('an arrow below', differs(await look(page), radiusThere) > 40, differs(await look(page), radiusThere));
    await page.keyboard.press('v');
    await page.getByLabel('trails').fill('5');
    await page.waitForFunction(() => window.scree.stage().trails.count === 35 * 5);
    check('a trail above', differs(await look(page), -radiusThere) > 25, differs(await look(page), -radiusThere));
    await page.getByLabel('trails').fill('0');

    // the histogram: an end of the range is dragged, and colours follow
    await page.selectOption('#field', 'radius');
    await page.waitForFunction(() => document.body.dataset.field === 'radius');
    const before = (await look(page)).at(...[grains[17].x, grains[17].y].map(Math.round));
    await page.locator('#histogram').scrollIntoViewIfNeeded();
    const place = await page.locator('#histogram').boundingBox();
    const ends = (await page.getAttribute('#histogram', 'data-range')).split(' ').map(Number);
    near('the histogram has the range', ends[0], 0.03, 0.001);
    await page.mouse.move(place.x + place.width * 0.955, place.y + 5);
    await page.mouse.down();
    await page.mouse.move(place.x + place.width * 0.5, place.y + 5);
    await page.mouse.up();
    near('an end was dragged', Number(await page.inputValue('#high')), 0.047, 0.002);
    const after = (await look(page)).at(...[grains[17].x, grains[17].y].map(Math.round));
    check('a grain in the middle is yellow then', after[0] > before[0] + 60, `${before}, then ${after}`);
    await page.getByLabel('logarithmic').check();
    check('powers of ten have their marks', /0\.0/.test(await page.textContent('#legend')));

    // the link has it all
    await page.selectOption('#clip-axis', 'x');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await frame(page, 2);
    check('quick keys are not lost', (await page.inputValue('#slider')) === '2');
    await page.click('#link');
    const address = await page.evaluate(() => location.href);
    const first = await look(page);
    const second = await open(address.split('#')[0], `#${address.split('#')[1]}`);
    await frame(second, 2);
    const again = await look(second);
    let wrong = 0;
    for (let k = 0; k < first.data.length; k++) wrong += Math.abs(first.data[k] - again.data[k]) > 8;
    near('a link shows the same', wrong / first.data.length, 0, 0.002);
    check('half of the grains, as it was clipped', blobs(again).length === blobs(first).length
        && blobs(first).length < 25, blobs(again).length);
    await second.close();

    // a movie
    const saving = page.waitForEvent('download', { timeout: 60000 });
    await page.click('#movie');
    const saved = await saving;
    const movie = readFileSync(await saved.path());
    check('a movie is saved', saved.suggestedFilename() === 'grid.webm' && movie.readUInt32BE(0) === 0x1a45dfa3
        && movie.length > 4000, `${saved.suggestedFilename()} ${movie.length} bytes`);
    check('no complaints of tools', page.words.length === 0, page.words.join('; '));
    await page.close();
    view.child.kill('SIGTERM');
    await view.ended;
}

// a narrow window, and a browser that cannot
async function small() {
    const view = await start('view', 'grid.h5', '--no-open');
    const page = await browser.newPage({ viewport: { width: 400, height: 700 }, colorScheme: 'dark' });
    page.setDefaultTimeout(60000);
    await page.goto(view.address);
    await page.waitForSelector('body[data-ready=yes]');
    check('nothing is wider than a narrow window', await page.evaluate(() =>
        document.documentElement.scrollWidth <= 400 && document.getElementById('stage').clientWidth === 400));
    check('the panel waits', await page.locator('#panel').isHidden());
    await page.click('#menu');
    check('and comes', await page.locator('#field').isVisible());
    await page.getByLabel('domain').uncheck();
    await page.click('#menu');
    await page.click('[aria-label="previous frame"]');
    await frame(page, 4);
    const seen = blobs(await look(page));
    check('all grains in a narrow window', seen.length === 35 && Math.min(...seen.map((b) => b.left)) > 0, seen.length);
    await page.close();

    const poor = await browser.newPage();
    await poor.addInitScript(() => {
        const real = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) {
            return /webgl/.test(kind) ? null : real.call(this, kind, ...rest);
        };
    });
    await poor.goto(view.address);
    await poor.waitForSelector('#problem:not([hidden])');
    check('without WebGL the page says what helps',
        /hardware acceleration.*scree render/.test(await poor.textContent('#problem')),
        await poor.textContent('#problem'));
    await poor.close();
    view.child.kill('SIGTERM');
    await view.ended;
}

// a notebook is a page of another server of this machine; other pages may not show the viewer
async function notebook() {
    const view = await start('view', 'grid.h5', '--no-open');
    const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html')
        .end(`<iframe src="${view.address}" width="900" height="600"></iframe>`));
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const page = await browser.newPage();
    page.setDefaultTimeout(60000);
    const words = [];
    page.on('console', (m) => words.push(m.text()));
    await page.goto(`http://localhost:${server.address().port}/`);
    const inner = await (await page.waitForSelector('iframe')).contentFrame();
    await inner.waitForSelector('body[data-ready=yes]');
    check('a notebook shows the viewer', (await inner.textContent('#title')) === 'a grid of grains'
        && words.length === 0, words.join('; '));
    writeFileSync('stranger.html', `<iframe src="${view.address}"></iframe>`);
    const told = page.waitForEvent('console', (m) => /frame-ancestors/.test(m.text()));
    await page.goto(`file://${process.cwd()}/stranger.html`);
    check('other pages may not', /blocked/.test((await told).text()), (await told).text());
    await page.close();
    server.close();
    view.child.kill('SIGTERM');
    await view.ended;
}

// two runs, one clock, one camera
async function both() {
    const view = await start('view', 'grid.h5', 'slow.h5', '--no-open');
    const page = await browser.newPage({ viewport: { width: 1200, height: 600 }, colorScheme: 'dark' });
    page.setDefaultTimeout(60000);
    await page.goto(view.address);
    await page.waitForFunction(() => document.querySelectorAll('iframe').length === 2);
    const [left, right] = await Promise.all((await page.$$('iframe')).map((f) => f.contentFrame()));
    for (const f of [left, right]) await f.waitForSelector('body[data-ready=yes]');
    check('each has its own results', (await left.evaluate(() => window.scree.run().file)) === 'grid.h5'
        && (await right.evaluate(() => window.scree.run().file)) === 'slow.h5');
    await left.locator('#stage').press('Home');
    await right.waitForSelector('body[data-frame="0"]');
    check('one clock', true);
    await right.locator('#stage').press('3');
    await left.waitForFunction(() => Math.abs(window.scree.stage().camera.position.x - window.scree.stage()
        .controls.target.x) < 1e-6);
    check('one camera', true);
    await page.close();
    view.child.kill('SIGTERM');
    await view.ended;
}

async function block() {
    const view = await start('view', 'block.h5', '--no-open');
    const page = await open(view.address);
    check('cells', / 4 cells/.test(await page.textContent('#facts')), await page.textContent('#facts'));
    await front(page);
    const [solid, ...rest] = blobs(await look(page));
    const width = solid.right - solid.left + 1;
    check('one solid', rest.length === 0, rest.length);
    near('a block of 1 by 1/4 in front view', solid.area / width ** 2, 0.25, 0.004);
    const b = await page.locator('#stage').boundingBox();
    await page.mouse.click(b.x + solid.left + 0.9 * width, b.y + solid.y);
    await page.waitForSelector('#picked table tr');
    check('a cell is picked', /^cell/.test(await page.textContent('#picked h2')));
    check('no complaints of cells', page.words.length === 0, page.words.join('; '));
    await page.close();
    view.child.kill('SIGTERM');
    await view.ended;
}

// what joins two grains is seen when they are small
async function pair() {
    const view = await start('view', 'pair.h5', '--no-open');
    const page = await open(view.address);
    await front(page);
    const parts = async () => blobs(await look(page)).length;
    await page.keyboard.press('Home');
    await frame(page, 0);
    await page.getByLabel('grain size').fill('0.3');
    near('a bond joins two grains', await parts(), 1, 0);
    await page.getByLabel('bonds').uncheck();
    near('without it they are two', await parts(), 2, 0);
    await page.getByLabel('force chains').check();
    await page.waitForFunction(() => /normal force/.test(document.getElementById('legend').textContent));
    near('a force joins them too', await parts(), 1, 0);
    check('no complaints of forces', page.words.length === 0, page.words.join('; '));
    await page.close();
    view.child.kill('SIGTERM');
    await view.ended;
}

async function broken() {
    const view = await start('view', 'broken.h5', '--no-open');
    const page = await open(view.address);
    await frame(page, 1);
    check('a good frame is shown', await page.locator('#problem').isHidden());
    await page.keyboard.press('Home');
    await page.waitForSelector('#problem:not([hidden])');
    const words = await page.textContent('#problem');
    check('a damaged frame is told in words', /frame-00000000\.h5.*damaged/.test(words), words);
    await page.close();
    view.child.kill('SIGTERM');
    await view.ended;
}

async function live() {
    const run = await start('run', 'hopper.yaml', '--force', '--view', '--no-open', '--threads', '1', '--set',
        'time.end=1000', '--set', 'output.every=0.02', '--set', 'output.checkpoint=1000');
    const page = await open(run.address);
    const frames = () => page.evaluate(() => Number(document.body.dataset.frames));
    const before = await frames();
    check('it is live', await page.locator('#live').isVisible());
    await page.waitForFunction((n) => Number(document.body.dataset.frames) > n, before);
    const now = await frames();
    await page.waitForFunction((n) => Number(document.body.dataset.frame) >= n - 1, now);
    check('new frames come by themselves', now > before, `${before}, then ${now}`);
    await page.keyboard.press('Home');
    await frame(page, 0);
    await page.waitForTimeout(1300);
    check('a frame that the user chose stays', (await page.evaluate(() => document.body.dataset.frame)) === '0');
    run.child.kill('SIGINT');
    check('Ctrl-C ends the run', (await run.ended) === 130);
    await page.waitForSelector('#problem:not([hidden])');
    check('the page says that the viewer is gone', /not running/.test(await page.textContent('#problem')));
    await page.close();
}

// a page that is mailed: opened as a file, it must not ask for anything
async function mailed() {
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    page.setDefaultTimeout(60000);
    const [words, asked] = [[], []];
    page.on('console', (m) => words.push(m.text()));
    page.on('pageerror', (e) => words.push(e.message));
    page.on('request', (r) => /^(data|blob|file|about):/.test(r.url()) || asked.push(r.url()));
    await page.goto(`file://${process.cwd()}/grid.html`);
    const inner = await (await page.waitForSelector('iframe.view')).contentFrame();
    await inner.waitForSelector('body[data-ready=yes]');
    check('the view of a report has all grains',
        (await inner.evaluate(() => window.scree.shown().grains.grains.rows)) === 35);
    check('and all frames', (await inner.evaluate(() => window.scree.run().times.length)) === 6);
    check('without a problem', await inner.locator('#problem').isHidden());
    await inner.locator('#stage').press('Home');
    await inner.waitForSelector('body[data-frame="0"]');
    check('a report asks for nothing', asked.length === 0, asked.join('; '));
    check('no complaints of a report', words.length === 0, words.join('; '));
    await page.close();
}

try {
    await grid();
    await finding();
    await small();
    await notebook();
    await both();
    await block();
    await pair();
    await broken();
    await live();
    await mailed();
} catch (problem) {
    check(`the end of the test: ${problem.message}`, false);
} finally {
    await browser.close();
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

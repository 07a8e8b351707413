// The part of our script in the page that deals with scenes: graphics that stay on the screen while steps of text go by, and are exchanged
// at each of them. What they show need not come back at the top of the page, where there is none of the steps, and single steps may be
// shorter than a screen. So scenes are walked through by small steps, and what they show is read, by which two visits can be compared.
(() => {
  'use strict';

  const { roots, named, parentOf, shownBox, pause, frame } = afterimage;

  const leastArea = 40_000; // px
  const leastSide = 100; // px
  const mostViews = 20; // of one scene
  const mostShapes = 100; // elements of one scene, of which it is looked where they are
  const mostPairs = 3; // of places, between which one goes to and fro
  const littleWay = 24; // px
  const restTime = 100; // ms of the page's time
  const mostRests = 16; // of these, until a scene is to be at rest
  const findTime = 8_000; // ms of the page's time, for all scenes
  const walkTime = 20_000; // likewise
  const part = 1 / 6; // of a screen: how far one goes at once
  const mostPlaces = 120;
  const mostElements = 300; // of one scene
  const mostReads = 15_000; // elements
  const mostBrief = 3; // states that are there at one place only

  // What has links and buttons is a header, a list or a form.
  const isScene = (pin) => {
    if (!pin.isConnected || pin.matches('html, body, header, nav') || pin.querySelector('a, button, input, select, nav')) return false;
    const { offsetWidth: width, offsetHeight: height } = pin;
    return width * height >= leastArea && Math.min(width, height) >= leastSide;
  };

  const onScreen = ({ left, top, right, bottom }) => bottom > 2 && top < innerHeight - 2 && right > 2 && left < innerWidth - 2;

  const numbers = new WeakMap(); // of elements
  let numbered = 0;
  const numberOf = (element) => numbers.get(element) ?? numbers.set(element, ++numbered).get(element);

  const shape = 'shape ';

  // Where the parts of a scene are in it, and their colours.
  const shapesOf = (pin) => {
    const from = pin.getBoundingClientRect();
    return [...pin.querySelectorAll('*')].slice(0, mostShapes).map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const { opacity, backgroundColor } = getComputedStyle(element);
      const place = [left - from.left, top - from.top, width, height].map(Math.round).join(' ');
      return `${shape}${numberOf(element)} ${place} ${opacity} ${backgroundColor}`;
    });
  };

  // By which it is told that a scene may show something else soon: its document, and the attributes around it.
  const textOf = (pin) => {
    let text = pin.outerHTML;
    for (let around = parentOf(pin); around; around = parentOf(around)) text += [...around.attributes].map(({ name, value }) => ` ${name}=${value}`);
    return text;
  };

  const viewOf = (pin) => new Set([...afterimage.statesIn(pin), ...isScene(pin) ? shapesOf(pin) : []]);

  // By part that stays: { from, to, views }, where it was on the screen, and what it showed anew where: { at, key }.
  const known = new Map();

  // Notes what a part that stays shows, of which the states are known.
  const noteScene = (pin, states) => {
    if (!onScreen(shownBox(pin))) return;
    const scene = known.get(pin) ?? known.set(pin, { from: scrollY, to: scrollY, views: [] }).get(pin);
    scene.from = Math.min(scene.from, scrollY);
    scene.to = Math.max(scene.to, scrollY);
    if (scene.views.length >= mostViews) return;
    const key = afterimage.checksum([...states, isScene(pin) ? textOf(pin) : ''].join('\n'));
    if (scene.views.at(-1)?.key !== key) scene.views.push({ at: scrollY, key });
  };

  const isSame = (one, other) => one.size === other.size && [...one].every((state) => other.has(state));

  // What a scene shows at a place when it has come to rest.
  const restAt = async (pin, at, goTo) => {
    await goTo(at);
    await frame();
    let view = viewOf(pin);
    for (let n = 0; n < mostRests; n++) {
      await pause(restTime);
      const next = viewOf(pin);
      if (isSame(view, next)) break;
      view = next;
    }
    return view;
  };

  const without = (states, ...others) => states.filter((state) => !others.some((other) => other.has(state)));

  // What only moves with the place is an effect.
  const staysNear = async (pin, at, states, goTo) => {
    for (const beside of [at + littleWay, at - littleWay]) {
      const view = await restAt(pin, beside, goTo);
      if (states.some((state) => view.has(state))) return true;
    }
    return false;
  };

  // Goes to and fro between two places: what a scene shows depends on them if both bring it back, and if it stays for as long as that
  // took. What changes with the time does not.
  const dependsOn = async (pin, [one, other], goTo) => {
    const begun = performance.now();
    const [a, b] = [await restAt(pin, one, goTo), await restAt(pin, other, goTo)];
    if (isSame(a, b)) return false;
    const [again, back] = [await restAt(pin, one, goTo), await restAt(pin, other, goTo)];
    const here = without([...b].filter((state) => back.has(state)), a, again);
    const there = without([...a].filter((state) => again.has(state)), b, back);
    const end = 2 * performance.now() - begun;
    while (here.length + there.length > 0 && performance.now() < end) {
      await pause(restTime);
      const view = viewOf(pin);
      here.splice(0, Infinity, ...here.filter((state) => view.has(state)));
      there.splice(0, Infinity, ...without(there, view));
    }
    if ([...here, ...there].some((state) => !state.startsWith(shape))) return true;
    return here.length > 0 && staysNear(pin, other, here, goTo) || there.length > 0 && staysNear(pin, one, there, goTo);
  };

  // Pairs of places at which a scene was seen to show something else, the last ones first: what is there before the first step does not
  // come back.
  const pairsOf = (views) => {
    const last = views.length - 1;
    const ends = [...new Set([last, Math.ceil(last / 2), 1])].filter((i) => i > 0).slice(0, mostPairs);
    return ends.map((i) => [views[i - 1].at, views[i].at]);
  };

  let more = []; // scenes of which the top of the page does not show what it showed before

  // The scenes besides those that are found already.
  const findScenes = async (found, goTo) => {
    more = [];
    const open = [...known].filter(([pin, { views }]) => !found.has(pin) && views.length > 1 && pin.isConnected);
    const end = performance.now() + findTime;
    for (const [pin, { views }] of open) {
      for (const pair of pairsOf(views)) {
        if (performance.now() > end || !await dependsOn(pin, pair, goTo)) continue;
        more.push(pin);
        break;
      }
    }
    if (open.length > 0) await goTo(0);
    return more;
  };

  // What is on the canvases of a scene; null if that cannot be read.
  const drawnOn = (canvases) => {
    const drawn = canvases.map(afterimage.pixelsHash);
    return drawn.includes('') ? null : drawn;
  };

  // What a scene shows now: { key, text, files }; null if it cannot be read.
  const read = (pin) => {
    const all = [...pin.querySelectorAll('*')];
    const canvases = all.filter((element) => element.matches('canvas') && afterimage.visible(element));
    const drawn = all.length > mostElements ? null : drawnOn(canvases);
    const content = drawn && afterimage.held(pin, pin.getBoundingClientRect(), 0, () => true, true);
    if (!content) return null;
    const { look, addresses } = afterimage.looksOf(pin);
    const behind = addresses.filter((address) => !address.startsWith('data:')).map((address) => ({ line: -1, address }));
    const graphics = all.filter((element) => element.matches('svg') && !element.ownerSVGElement).map(afterimage.graphicHash);
    const moved = all.map((element) => getComputedStyle(element).transform);
    const loaded = all.every((element) => element.localName !== 'img' || element.complete);
    const key = [content.text, look, ...shapesOf(pin).map((text) => text.replace(/\d+ /, '')), ...drawn, ...graphics,
      ...moved].join('\n');
    return { key, loaded, text: content.text, files: [...content.files, ...behind] };
  };

  const readAtRest = async (pin) => {
    let state = read(pin);
    for (let n = 0; n < mostRests && state; n++) {
      await pause(restTime);
      const next = read(pin);
      if (next?.key === state.key && next.loaded) return next;
      state = next;
    }
    return null;
  };

  // What several states hold, each line once; how they look counts state by state.
  const allOf = (states) => {
    const [lines, files, looks] = [[], [], []];
    const told = new Set();
    for (const { key, text, files: shown } of states) {
      looks.push(key);
      for (const [i, line] of text.split('\n').slice(0, -1).entries()) {
        const addresses = shown.filter((file) => file.line === i).map(({ address }) => address);
        const what = [line, ...addresses].join(' ');
        if (told.has(what)) continue;
        told.add(what);
        files.push(...addresses.map((address) => ({ line: lines.length, address })));
        lines.push(line);
      }
      const others = shown.filter(({ line, address }) => line < 0 && !told.has(address));
      for (const file of others) told.add(file.address);
      files.push(...others);
    }
    return afterimage.heldOf(lines, looks, files);
  };

  let walked = new Map(); // by scene: what it holds, null if it cannot be read

  const isRead = (pin) => Boolean(walked.get(pin));

  // What was seen of a scene on the way: its states, and what of that which had been noted of it was not.
  const begin = (pin, noted) => {
    const { from, to } = known.get(pin) ?? { from: 0, to: document.documentElement.scrollHeight };
    const [states, lost] = [new Map(), new Set(noted)];
    return { pin, from: from - innerHeight, to: to + innerHeight, states, lost, last: null, brief: 0, failed: false };
  };

  const pictureOf = (state) => state.split('\n')[0];

  const moves = ({ pin }) => pin.querySelector('canvas') !== null || document.getAnimations().some(({ timeline, effect }) =>
    timeline instanceof ScrollTimeline && pin.contains(effect?.target));

  const note = async (scene, changed) => {
    if (scene.last && !changed && !moves(scene)) {
      scene.last.places++;
      return 0;
    }
    const state = await readAtRest(scene.pin);
    scene.failed = state === null;
    if (scene.failed) return mostElements;
    for (const one of afterimage.statesIn(scene.pin)) scene.lost.delete(pictureOf(one));
    for (const text of scene.lost) if (scene.pin.textContent.includes(text)) scene.lost.delete(text);
    const same = scene.states.get(state.key) ?? scene.states.set(state.key, { ...state, places: 0 }).get(state.key);
    if (scene.last && scene.last !== same && scene.last.places < 2 && ++scene.brief > mostBrief) scene.failed = true;
    scene.last = same;
    same.places++;
    return 2 * scene.pin.getElementsByTagName('*').length;
  };

  // A state that is there at one place only may have neighbours that were not met.
  const isWhole = ({ states, failed, lost }) =>
    !failed && lost.size === 0 && states.size > 1 && [...states.values()].every(({ places }) => places > 1);

  const holdsOf = (scene) => (isWhole(scene) ? allOf([...scene.states.values()]) : null);

  // Walks through scenes and reads them; given is what had been noted of each.
  const walkThrough = async (noted, goTo) => {
    const pins = new Set([...noted.keys(), ...afterimage.boundPins()].filter(isScene));
    if (pins.size === 0) return;
    const all = [...pins].map((pin) => begin(pin, [...noted.get(pin) ?? [], ...afterimage.boundTexts(pin)]));
    const end = performance.now() + walkTime;
    const step = Math.ceil(part * innerHeight);
    let [changed, reads, places] = [true, 0, 0];
    const watching = new MutationObserver(() => { changed = true; });
    for (const root of roots()) watching.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const open = (at) => all.filter(({ from, to, failed }) => !failed && from <= at && at <= to);
    const last = document.documentElement.scrollHeight - innerHeight + step;
    for (let at = 0; at < last; at += step) {
      const here = open(at);
      if (here.length === 0) continue;
      if (++places > mostPlaces || performance.now() > end || reads > mostReads) {
        for (const scene of here) scene.failed = true;
        continue;
      }
      await goTo(at);
      await frame();
      const anew = changed || watching.takeRecords().length > 0;
      changed = false;
      for (const scene of here) reads += await note(scene, anew);
    }
    watching.disconnect();
    walked = new Map(all.map((scene) => [scene.pin, holdsOf(scene)]));
    await goTo(0);
  };

  // Those of them that show more than the picture, as parts that are missing. What was known before is told by its states if it cannot be
  // read.
  const scenes = () => [...new Set([...walked.keys(), ...more])].filter((pin) => isRead(pin) || more.includes(pin))
    .map((pin) => ({ kind: 'hidden', element: named(pin), holds: walked.get(pin) ?? null }));

  const forgetScenes = () => {
    known.clear();
    walked.clear();
    more = [];
  };

  Object.assign(afterimage, { noteScene, findScenes, walkThrough, isRead, scenes, forgetScenes });
})();

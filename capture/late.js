// The part of our script in the page that deals with parts that take their time: they come only when their place has been on the screen
// for a while. Somebody who scrolls through the page at once never meets them.
(() => {
  'use strict';

  const { parentOf, onPage, everywhere, pause } = afterimage;

  const usual = 1600; // ms of the page's time that a part may take to come, if no timer of its scripts is longer
  const everyLook = 100; // likewise
  const leastDelay = 100; // likewise; what comes sooner is met without waiting
  const mostTried = 3; // screens, to learn whether anything comes late
  const allTime = 20_000; // ms of the page's time, to wait at all screens
  const mostTold = 20;
  const mostLookedAt = 10_000; // elements
  const part = 0.6; // of a screen: what is near its edge may not come

  // The outermost element that hides one.
  const causeOf = (element, drawn) => {
    let cause = element;
    for (let around = element; around && around !== document.documentElement; around = parentOf(around)) if (!drawn(around)) cause = around;
    return cause;
  };

  // What hides an element has a place of its own in the page. Captions and menus, which wait for a pointer, lie upon others.
  const inFlow = (element, drawn) => {
    const cause = causeOf(element, drawn);
    for (let around = element; around; around = parentOf(around)) {
      if (/absolute|fixed|sticky/.test(getComputedStyle(around).position)) return false;
      if (around === cause) return true;
    }
    return true;
  };

  const takesRoom = (element) => {
    const box = element.getBoundingClientRect();
    return element.offsetWidth > 1 && element.offsetHeight > 1 && box.bottom + scrollY > innerHeight && onPage(box);
  };

  const holds = (element) => element instanceof HTMLElement && (element.matches('img, canvas, video') || afterimage.ownText(element) !== '');

  // Words and pictures below the first screen that have their place and are not to be seen there.
  const undrawn = () => {
    const drawn = afterimage.shownNow();
    return everywhere('*').slice(0, mostLookedAt).filter((element) =>
      holds(element) && takesRoom(element) && !drawn(element) && inFlow(element, drawn));
  };

  const topOf = (element) => element.getBoundingClientRect().top + scrollY;

  // By the place at which the page is scrolled so that they are on the screen: the elements.
  const byScreen = (elements) => {
    const [height, above] = [part * innerHeight, (1 - part) / 2 * innerHeight];
    return Map.groupBy(elements, (element) => Math.max(Math.round(Math.floor(topOf(element) / height) * height - above), 0));
  };

  let longest = usual;

  // Waits for some or all of the elements; true if they have come.
  const come = async (elements, all) => {
    const have = () => {
      const drawn = afterimage.shownNow();
      return all ? elements.every(drawn) : elements.some(drawn);
    };
    for (let waited = 0; waited < longest && !have(); waited += everyLook) await pause(everyLook);
    return have();
  };

  // How long the page's scripts let timers run that they begin when they hear of scrolling; see clock.js.
  const delays = (token) => {
    let longestDelay = 0;
    addEventListener(`${token} answer`, (event) => { longestDelay = event.detail; }, { once: true });
    dispatchEvent(new CustomEvent(`${token} delays`));
    return longestDelay;
  };

  let late = false;
  let lateBy = 0; // ms, where timers say it
  let absent = []; // what did not come and may do so

  // Goes where most is not to be seen, and tells whether some of it comes there.
  const someCome = async (screens, goTo) => {
    const most = [...screens].sort(([, a], [, b]) => b.length - a.length).slice(0, mostTried);
    for (const [at, elements] of most) {
      await goTo(at);
      if (await come(elements, false)) return true;
    }
    return false;
  };

  // Goes to the middle of the page, and tells whether other words are there when the timers have ended.
  const wordsCome = async (delay, goTo) => {
    await goTo(Math.round((document.documentElement.scrollHeight - innerHeight) / 2));
    afterimage.look();
    const before = afterimage.seenTexts();
    await pause(delay + everyLook);
    afterimage.look();
    return [...afterimage.seenTexts()].some((text) => !before.has(text));
  };

  // Notes what has come at all places when it has been waited for there.
  const waitAt = async (places, wait, goTo) => {
    const end = performance.now() + allTime;
    for (const at of places) {
      if (performance.now() >= end) return;
      await goTo(at);
      await wait(at);
      afterimage.look();
    }
  };

  const waitFor = async (screens, goTo) => {
    await waitAt([...screens.keys()].sort((a, b) => a - b), async (at) => {
      await come(screens.get(at), true);
      const drawn = afterimage.shownNow();
      absent = absent.filter((element) => !drawn(element));
    }, goTo);
  };

  const allPlaces = () => {
    const places = [];
    for (let at = 0; at + innerHeight < document.documentElement.scrollHeight;) places.push(at += Math.round(part * innerHeight));
    return places;
  };

  const isLike = ({ localName, classList }, other) => localName === other.localName &&
    (other.classList.length === 0 ? classList.length === 0 : [...other.classList].some((name) => classList.contains(name)));

  const covers = ({ left, top, right, bottom }, x, y) => left < x && x < right && top < y && y < bottom;

  // What a script hides while the page is scrolled, or does so with its like, may be shown somewhere, unless it was shown before or
  // something beside it has taken its place.
  const isHiddenByScript = (element) => {
    const drawn = afterimage.shownNow();
    const cause = causeOf(element, drawn);
    const beside = [...parentOf(cause)?.children ?? []];
    if (afterimage.wasShown(element)) return false;
    if (!beside.some((other) => isLike(other, cause) && afterimage.restyledElements.has(other))) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    return !beside.some((other) => other !== cause && drawn(other) &&
      covers(other.getBoundingClientRect(), left + width / 2, top + height / 2));
  };

  // Looks for parts that come late. If there are some, they are waited for at all places, and noted.
  const findLate = async (token, goTo) => {
    const [screens, delay] = [byScreen(undrawn()), delays(token)];
    longest = Math.max(usual, delay + 2 * everyLook);
    [late, lateBy, absent] = [false, 0, [...screens.values()].flat()];
    if (await someCome(screens, goTo)) {
      late = true;
      await waitFor(screens, goTo);
    } else {
      absent = absent.filter(isHiddenByScript);
    }
    if (!late && delay >= leastDelay && await wordsCome(delay, goTo)) {
      late = true;
      lateBy = delay;
      await waitAt(allPlaces(), () => pause(delay + everyLook), goTo);
    }
    if (scrollY > 0) await goTo(0);
    if (late) await pause(longest);
  };

  const neverCame = () => {
    const drawn = afterimage.shownNow();
    return absent.filter((element) => element.isConnected && !drawn(element)).slice(0, mostTold)
      .map((element) => ({ kind: 'hidden', element: afterimage.named(element), text: afterimage.ownText(element) }));
  };

  // How long parts that were seen may take to come back.
  const patience = () => (late ? longest : 700);

  Object.assign(afterimage, { findLate, isLate: () => late, neverCame, patience, timersEnd: () => pause(lateBy) });
})();

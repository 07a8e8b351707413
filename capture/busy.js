// The part of our script in the page that finds what a reader takes for "more is to come": words such as “Loading…”, spinners, skeletons.
(() => {
  'use strict';

  const { roots, everywhere, seen } = afterimage;

  const mostTexts = 20_000; // that are looked at
  const mostWords = 60; // characters of such a text
  const mostTold = 3;
  const fewWords = 3; // longer texts only if they end with an ellipsis

  const waits = new RegExp('^(loading|please wait|one moment|just a moment|wird geladen|lädt|lade|laden|bitte warten|einen moment|even geduld|' +
    'chargement|veuillez patienter|cargando|espere|caricamento|attendere|ładowanie|proszę czekać|carregando|aguarde|a carregar|' +
    'laddar|indlæser|laster|ladataan|načítání|načítavam|betöltés|se încarcă|yükleniyor|загрузка|завантаження|φόρτωση|' +
    '読み込み中|加载中|載入中|로딩|불러오는)(?![\\p{L}])', 'iu');
  const otherwise = /^(lade|laden|laster)(?![\p{L}])/iu; // words that mean something else in another language
  const shapes = /(^|[-_\s])(spinner|skeleton|loader|shimmer)([-_\s]|$)/i;
  const marks = '[aria-busy=true], [role=progressbar]:not([aria-valuenow]), [class*=spinner i], [class*=skeleton i], [class*=loader i], ' +
    '[class*=shimmer i]';

  const saysWait = (text) => {
    if (text.length > mostWords || !waits.test(text)) return false;
    return /(…|\.\.\.)$/.test(text) || !otherwise.test(text) && text.split(/\s+/).length <= fewWords;
  };

  const words = function* () {
    let looked = 0;
    for (const root of roots()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && looked < mostTexts; node = walker.nextNode(), looked++) {
        const text = node.data.trim();
        if (node.parentElement && saysWait(text) && seen(node.parentElement)) yield `“${text}”`;
      }
    }
  };

  const shown = function* () {
    for (const element of everywhere(marks)) {
      const { body, documentElement } = document;
      if (element === body || element === documentElement || !seen(element)) continue;
      const waiting = element.matches('[aria-busy=true], [role=progressbar]') || shapes.test(element.getAttribute('class') ?? '');
      if (waiting) yield afterimage.named(element);
    }
  };

  // What tells a reader to wait, each once.
  const busy = () => {
    const told = new Set();
    for (const some of [words(), shown()]) {
      for (const what of some) {
        if (told.size === mostTold) break;
        told.add(what);
      }
    }
    return [...told];
  };

  Object.assign(afterimage, { busy, saysWait });
})();

// Keeps the scripts of a page in a flow from opening windows, which nobody would look at: runs in the page's own world, before its
// scripts, in every frame. It tells our script, which knows the same TOKEN.
(() => {
  'use strict';

  const here = new Set(['_self', '_parent', '_top']);
  const isFrame = (name) => Array.from(document.querySelectorAll('iframe, frame')).some((frame) => frame.name === name);
  window.open = new Proxy(window.open, {
    apply: (open, self, list) => {
      const [address = 'about:blank', name = ''] = list;
      if (here.has(String(name).toLowerCase()) || name && isFrame(String(name))) return Reflect.apply(open, self, list);
      dispatchEvent(new CustomEvent('TOKEN window', { detail: new URL(String(address), document.baseURI).href }));
      return null;
    },
  });
})();

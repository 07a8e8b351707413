// The part of our script in the page that deals with consent banners and advertisements. The rules are consent.rules.
afterimage.consent = ({ managers, css }) => {
  // The document and the open shadow roots in it: some managers live in one.
  const roots = [document];
  for (let i = 0; i < roots.length && roots.length < 100; i++) {
    for (const element of roots[i].querySelectorAll('*')) {
      if (element.shadowRoot instanceof ShadowRoot) roots.push(element.shadowRoot);
    }
  }

  const first = (selector, accept) => {
    for (const root of roots) {
      for (const element of root.querySelectorAll(selector)) {
        if (accept(element)) return element;
      }
    }
    return null;
  };

  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  // The banner need only be there: its own box is often empty, and what matters is a button to be seen.
  const accept = ({ when, press }) => {
    if (!first(when.join(), () => true)) return false;
    for (const selector of press) {
      const button = first(selector, seen);
      if (button) {
        button.click();
        return true;
      }
    }
    return false;
  };

  const accepted = managers.find(accept);
  const sheet = new CSSStyleSheet();
  // Some lock the page by style attributes rather than by a class.
  const locked = accepted ? '[style*="overflow: hidden"]:is(html, body){overflow:visible!important;position:static!important}' : '';
  sheet.replaceSync(css + locked);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return accepted ? accepted.name : '';
};

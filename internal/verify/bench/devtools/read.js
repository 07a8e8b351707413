// Lists the elements of a page that can be seen, in document order, with what the browser says of each: its own text, its box, what it
// holds, and its computed styles, those of its generated content among them. Equal styles are listed once.
(async (properties) => {
  for (let y = 0; y < document.documentElement.scrollHeight && y < 30000; y += 600) {
    scrollTo(0, y);
    await new Promise((done) => setTimeout(done, 20));
  }
  scrollTo(0, 0);
  await document.fonts.ready;
  await new Promise((done) => setTimeout(done, 600));
  const numbers = new Map(), styles = [], elements = [], places = new Map();
  const read = (style) => properties.map((name) => style.getPropertyValue(name));
  const number = (values) => {
    const key = values.join("\u0001");
    if (!numbers.has(key)) {
      numbers.set(key, styles.length);
      styles.push(values);
    }
    return numbers.get(key);
  };
  const generated = (element, which) => {
    const style = getComputedStyle(element, which);
    return style.content === "none" || style.content === "normal" || style.display === "none" ? -1 : number(["content", style.content, ...read(style)]);
  };
  const ownText = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.data).join(" ").replace(/\s+/g, " ").trim();
  const visit = (root, parent) => {
    for (const element of root.children) {
      const style = getComputedStyle(element), box = element.getBoundingClientRect();
      let at = parent;
      const shown = style.display !== "none" && style.visibility !== "hidden" && element.checkVisibility({ checkOpacity: true });
      if (shown && (box.width > 0 && box.height > 0 || style.display === "contents") && !/^(script|style|head)$/.test(element.localName)) {
        at = elements.length;
        places.set(element, at);
        elements.push({
          parent, tag: element.localName, id: element.id, classes: String(element.className?.baseVal ?? element.className ?? ""),
          text: ownText(element), all: element.localName === "body" ? "" : (element.innerText ?? element.textContent).replace(/\s+/g, " ").trim(),
          value: /^(input|textarea|select)$/.test(element.localName) && element.type !== "password"
            ? element.localName === "select" ? [...element.selectedOptions].map((o) => o.text).join(", ") : element.value : "",
          placeholder: element.placeholder ?? "", checked: element.checked === true, disabled: element.disabled === true,
          alternative: element.getAttribute("alt") ?? element.getAttribute("aria-label") ?? "", source: element.currentSrc || element.getAttribute("src") || element.getAttribute("data") || "",
          box: [box.x + scrollX, box.y + scrollY, box.width, box.height],
          style: number(read(style)), before: generated(element, "::before"), after: generated(element, "::after"),
        });
      }
      if (element.localName !== "svg") visit(element, at);
      if (element.shadowRoot) visit(element.shadowRoot, at);
    }
  };
  visit(document, -1);
  window.placeOf = (selector) => {
    try {
      let root = document, found = null;
      for (const part of selector.split(" >>> ")) {
        found = root.querySelector(part);
        root = found?.shadowRoot;
      }
      return places.get(found) ?? -1;
    } catch {
      return -1;
    }
  };
  return JSON.stringify({ elements, styles, everything: document.documentElement.textContent });
})

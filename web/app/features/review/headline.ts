/**
 * The description of a change without the selector of its element, which says more to a browser than to a reader: "Paragraph: text
 * changed" for "Paragraph (section > p:nth-of-type(2)): text changed". Descriptions name the end of the selector.
 */
export function headline(description: string, selector: string | undefined): string {
  const open = description.indexOf(' (');
  const close = closing(description, open + 1);
  return selector !== undefined && close > 0 && selector.endsWith(description.slice(open + 2, close))
    ? description.slice(0, open) + description.slice(close + 1)
    : description;
}

/** Where the parenthesis ends that is open at a position; -1 if there is none, or no end. */
function closing(text: string, open: number): number {
  if (open < 1) {
    return -1;
  }
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
    if (depth === 0) {
      return at;
    }
  }
  return -1;
}

/**
 * The description of a change without the selector of its element, which says more to a browser than to a reader: "Paragraph: text
 * changed" for "Paragraph (main > p:nth-of-type(2)): text changed".
 */
export function headline(description: string, selector: string | undefined): string {
  return selector === undefined || selector === '' ? description : description.replace(` (${selector})`, '');
}

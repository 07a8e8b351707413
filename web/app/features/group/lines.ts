/** A line that was pasted, with its number from 1. */
export interface Line {
  number: number;
  text: string;
}

/** A line that the server refused, and why. */
export interface RefusedLine extends Line {
  rule: string;
  message: string;
}

/** The lines of a text that are not empty; each keeps its number. */
export function linesOf(text: string): Line[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
}

const mostCharacters = 200_000; // of a request, of which the server takes at most 1 MiB
const longest = 2_049; // characters of a line: one more than an address may have

/** The lines in parts that are short enough for a request each. */
export function chunks(lines: readonly Line[]): Line[][] {
  const parts: Line[][] = [];
  let room = 0;
  for (const { number, text } of lines) {
    const line = { number, text: text.slice(0, longest) };
    if (room < line.text.length) {
      parts.push([]);
      room = mostCharacters;
    }
    parts[parts.length - 1]?.push(line);
    room -= line.text.length + 3;
  }
  return parts;
}

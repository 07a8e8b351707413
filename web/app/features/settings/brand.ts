/** The largest file of a logo that the service takes, in bytes. */
export const largestLogo = 512 * 1024;

/** Whether a text is a colour as the service takes it. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Black or white, whichever is easier to read on a colour: what the service chooses by the contrast of WCAG 2.2. */
export function inkOn(color: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}

export function fromBase64(text: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], { type });
}

export async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

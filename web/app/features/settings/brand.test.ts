import { describe, expect, it } from 'vitest';

import { fromBase64, inkOn, isColor, toBase64 } from './brand';

describe('a brand', () => {
  it('has the text on its colour that the service chooses', () => {
    // The same as in vcd/brand_test.go.
    expect(['#3050b5', '#ffd800', '#ff0000', '#000080', '#000000', '#FFFFFF'].map(inkOn)).toEqual([
      '#ffffff',
      '#000000',
      '#000000',
      '#ffffff',
      '#ffffff',
      '#000000',
    ]);
  });

  it('has a colour with six digits', () => {
    expect(['#1a5fb4', '#1A5FB4', '#fff', 'red', '', '#1a5fb4;'].filter(isColor)).toEqual(['#1a5fb4', '#1A5FB4']);
  });

  it('is sent with the bytes of its logo', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 256);
    const text = await toBase64(new Blob([bytes]));
    expect(text).toBe(Buffer.from(bytes).toString('base64'));
    expect(new Uint8Array(await fromBase64(text, 'image/png').arrayBuffer())).toEqual(bytes);
  });
});

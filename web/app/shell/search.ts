import type { SearchSchemaInput } from '@tanstack/react-router';

// What addresses carry after the question mark comes from anybody: each reader
// takes what it knows and drops the rest.

/** The unread search part of an address that is to be a T. Links may leave everything out. */
export type Search<T> = { [K in keyof T]?: T[K] | undefined } & SearchSchemaInput;

/** One of a few words; undefined for everything else. */
export function oneOf<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value);
}

/** The number of a page of a list beyond the first; undefined for everything else. */
export function pageNumber(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number > 1 && number <= 10_000 ? number : undefined;
}

const longest = 200; // characters

/** A text that somebody typed; undefined when there is none. A number in an address is a text, too. */
export function text(value: unknown): string | undefined {
  const plain = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  return plain === '' ? undefined : plain.slice(0, longest);
}

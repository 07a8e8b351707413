import { long } from '../person';

export * from '../person';

/** A text that would rename the page if it ever became code. */
export const hostile = `<img src=x onerror="document.title='hostile'"><script>document.title='hostile'</script>`;

/** How many addresses are pasted into a group: those of the pages with even numbers below twice as many. In long runs ten times as many. */
export const many = long ? 5_000 : 500;

/** A number as people read it. */
export const counted = (number: number): string => number.toLocaleString('en');

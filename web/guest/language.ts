import { english } from './english';
import { german } from './german';
import type { GuestWords } from './words';

/** The language of the page, which the program has chosen. */
export const language: 'en' | 'de' = document.documentElement.lang === 'de' ? 'de' : 'en';

export const words: GuestWords = language === 'de' ? german : english;

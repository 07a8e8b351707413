import { useFormatter, useTranslations } from 'use-intl';

import type { ShownComparison } from './query';

type Missing = NonNullable<NonNullable<NonNullable<ShownComparison['after']>['manifest']>['missing']>[number];

/** As many parts are named, the others are counted. */
const named = 3;

/** What of the page the screenshots do not show, in a sentence in the language of the dashboard; empty for nothing. */
export function useUnseen({ before, after }: Pick<ShownComparison, 'before' | 'after'>): string {
  const t = useTranslations('comparison');
  const format = useFormatter();
  const part = (missing: Missing): string => {
    const { kind, element, side, pixels, description } = missing;
    switch (kind) {
      case 'scrolled':
        return t('missing.scrolled', { element: element ?? '', count: format.number(pixels ?? 0) });
      case 'cut':
      case 'aside':
        return t('missing.beside', { side: side ?? 'below', count: format.number(pixels ?? 0) });
      case 'frame':
        return t('missing.frame', { element: element ?? '' });
      case 'loading':
        return t('missing.loading');
      case 'glyphs':
        return t('missing.glyphs');
      case 'playing':
        return t('missing.playing', { element: element ?? '' });
      case 'hidden':
        return t('missing.hidden');
      default:
        return description;
    }
  };
  const clause = (parts: readonly Missing[]): string => {
    const all = [...new Set(parts.map(part))];
    const shown = all.slice(0, named);
    return all.length > named ? t('missing.more', { parts: shown.join(', '), count: all.length - named }) : shown.join(', ');
  };
  const was = clause(before?.manifest?.missing ?? []);
  const is = clause(after?.manifest?.missing ?? []);
  switch (true) {
    case was === is:
      return is === '' ? '' : t('unseen', { parts: is });
    case was === '':
      return t('unseenAfter', { parts: is });
    case is === '':
      return t('unseenBefore', { parts: was });
    default:
      return t('unseenBoth', { before: was, after: is });
  }
}

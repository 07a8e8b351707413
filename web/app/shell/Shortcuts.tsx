import { useTranslations } from 'use-intl';

import { Dialog } from '../../ui/Dialog';
import { Kbd } from '../../ui/Kbd';
import css from './Shortcuts.module.css';

/** All keys of the dashboard, by where they work. */
const sections = {
  everywhere: ['? help', 'g h home', 'g r runs', 'g s sites', 'g t teach', 'g m manage'],
  urls: ['j next', 'k previous', 'x choose', 'a chooseAll', 'e urlSettings', 'Escape chooseNone'],
  review: ['j next', 'k previous', 'a approve', 'x reject', 'f falsePositive', 'o reopen', 'u undo', 'c comment', 'Enter open', 'v views'],
  viewer: [
    'n nextChange',
    'p previousChange',
    '1 sideBySide',
    '2 slider',
    '3 overlay',
    '4 blink',
    '5 difference',
    'l aligned',
    'm marks',
    'b other',
    '+ zoomIn',
    '- zoomOut',
    '0 fit',
    'z full',
    '] nextPage',
    '[ previousPage',
    'd device',
    'i facts',
    'Escape back',
  ],
} as const;

type Line<T extends string> = T extends `${string} ${infer Rest}` ? (Rest extends `${string} ${string}` ? Line<Rest> : Rest) : never;
type Does = Line<(typeof sections)[keyof typeof sections][number]>;

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Shortcuts({ open, onOpenChange }: Props) {
  const t = useTranslations('keys');
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('title')} closeLabel={t('close')} wide textOnly>
      <div className={css.sections}>
        {Object.entries(sections).map(([section, lines]) => (
          <section key={section}>
            <h3 className={css.heading}>{t(section as keyof typeof sections)}</h3>
            <dl className={css.list}>
              {lines.map((line) => {
                const cut = line.lastIndexOf(' ');
                return (
                  <div key={line} className={css.line}>
                    <dt>
                      <Kbd keys={line.slice(0, cut)} />
                    </dt>
                    <dd>{t(line.slice(cut + 1) as Does)}</dd>
                  </div>
                );
              })}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

import { X } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

import { Badge, type Tone } from '../../../ui/Badge';
import { Button, IconButton } from '../../../ui/Button';
import { When } from '../../shell/When';
import { Who } from '../../shell/Who';
import { Comments } from './Comments';
import css from './Facts.module.css';
import { VaryingDialog } from './VaryingDialog';
import type { ShownComparison } from './query';

const severities: Record<ShownComparison['pageChanges'][number]['severity'], Tone> = {
  NOTICE: 'neutral',
  WARNING: 'unsure',
  ALARM: 'alert',
};

interface Props {
  comparison: ShownComparison;
  refresh: () => void;
  onClose: () => void;
}

/** What is known beside the pictures: page, console, cause, reviews and comments. */
export function Facts({ comparison, refresh, onClose }: Props) {
  const t = useTranslations('comparison');
  const format = useFormatter();
  const [varying, setVarying] = useState(false);
  const unused = (comparison.after?.manifest?.cssSelectors ?? []).filter(({ elements }) => elements === 0).map(({ selector }) => selector);
  const percent = (value: number) => format.number(value / 100, { style: 'percent', maximumFractionDigits: 3 });
  return (
    <aside className={css.facts} aria-label={t('facts')}>
      <header className={css.header}>
        <h2 className={css.title}>{t('facts')}</h2>
        <IconButton label={t('close')} icon={<X aria-hidden="true" />} onClick={onClose} />
      </header>
      <dl className={css.list}>
        <dt>{t('pageTitle')}</dt>
        <dd>
          <bdi>{comparison.htmlTitle}</bdi>
        </dd>
        <dt>{t('group')}</dt>
        <dd>{comparison.groupName}</dd>
        <dt>{t('difference')}</dt>
        <dd>{t('differenceValue', { plain: percent(comparison.differencePercent), aligned: percent(comparison.alignedPercent) })}</dd>
        <dt>{t('threshold')}</dt>
        <dd>{percent(comparison.threshold)}</dd>
        {comparison.after !== null && (
          <>
            <dt>{t('status')}</dt>
            <dd>{comparison.after.statusCode}</dd>
            <dt>{t('finalUrl')}</dt>
            <dd>
              <bdi>{comparison.after.finalUrl}</bdi>
            </dd>
          </>
        )}
        {unused.length > 0 && (
          <>
            <dt>{t('unusedCss')}</dt>
            <dd>
              <bdi>{unused.join(', ')}</bdi>
            </dd>
          </>
        )}
        {comparison.confirmation !== null && (
          <>
            <dt>{t('confirmation')}</dt>
            <dd>{t(`confirmations.${comparison.confirmation}`)}</dd>
          </>
        )}
      </dl>
      <Button size="small" className={css.varying} onClick={() => setVarying(true)}>
        {t('varying.open')}
      </Button>
      {varying && <VaryingDialog comparison={comparison} onClose={() => setVarying(false)} />}
      <PageChanges comparison={comparison} />
      <Console comparison={comparison} />
      <Culprits comparison={comparison} />
      <Comments comparison={comparison} refresh={refresh} />
      <Reviews comparison={comparison} />
    </aside>
  );
}

function PageChanges({ comparison }: { comparison: ShownComparison }) {
  const t = useTranslations('comparison');
  if (comparison.pageChanges.length === 0) {
    return null;
  }
  return (
    <section className={css.section}>
      <h3>{t('pageChanges')}</h3>
      <ul className={css.items}>
        {comparison.pageChanges.map((change) => (
          <li key={change.kind}>
            <Badge tone={severities[change.severity]}>{t(`pageKinds.${change.kind}`)}</Badge>
            <p className={css.text}>{change.sentence}</p>
            {change.words !== null && (
              <p className={css.runs}>
                {change.words.runs.map((run, index) =>
                  run.kind === 'ADDED' ? (
                    <ins key={index}>{run.text} </ins>
                  ) : run.kind === 'REMOVED' ? (
                    <del key={index}>{run.text} </del>
                  ) : (
                    <span key={index}>{run.text} </span>
                  ),
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Console({ comparison }: { comparison: ShownComparison }) {
  const t = useTranslations('comparison');
  const added = comparison.browserConsoleAdded ?? [];
  const removed = comparison.browserConsoleRemoved ?? [];
  if (added.length + removed.length === 0) {
    return null;
  }
  return (
    <section className={css.section}>
      <h3>{t('console')}</h3>
      <ul className={css.items}>
        {added.map((entry, index) => (
          <li key={`+${index}`} className={css.entry} data-side="added">
            <span className="visually-hidden">{t('consoleAdded')}</span>
            <code>{entry.text}</code>
          </li>
        ))}
        {removed.map((entry, index) => (
          <li key={`-${index}`} className={css.entry} data-side="removed">
            <span className="visually-hidden">{t('consoleRemoved')}</span>
            <code>{entry.text}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Culprits({ comparison }: { comparison: ShownComparison }) {
  const t = useTranslations('comparison');
  if (comparison.culprits === null || comparison.culprits.length === 0) {
    return null;
  }
  return (
    <section className={css.section}>
      <h3>{t('culprits')}</h3>
      <ul className={css.items}>
        {comparison.culprits.map((culprit) => (
          <li key={culprit.slug}>
            {culprit.name} {culprit.fromVersion} → {culprit.toVersion}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reviews({ comparison }: { comparison: ShownComparison }) {
  const t = useTranslations('comparison');
  const status = useTranslations('status');
  if (comparison.reviews.length === 0) {
    return null;
  }
  return (
    <section className={css.section}>
      <h3>{t('reviews')}</h3>
      <ul className={css.items}>
        {comparison.reviews.map((review) => (
          <li key={review.id}>
            {status(review.status)} · <Who person={review.reviewer} /> · <When time={review.createdAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

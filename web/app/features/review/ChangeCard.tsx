import { Link } from '@tanstack/react-router';
import { Check, Monitor, Smartphone, Wrench } from 'lucide-react';
import { useTranslations } from 'use-intl';

import { Badge, type Tone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Kbd } from '../../../ui/Kbd';
import { join } from '../../../ui/join';
import { Crop } from '../../../viewer';
import type { AiCategory } from '../../api/generated/graphql';
import { Who } from '../../shell/Who';
import { boxOf, pictureOf } from '../../shell/picture';
import css from './ChangeCard.module.css';
import { headline } from './headline';
import type { Verdict } from './judging';
import type { RunChange } from './query';

const tones: Record<AiCategory, Tone> = { ALERT: 'alert', NOT_SURE: 'unsure', ALL_GOOD: 'good' };

// Pixels. On a phone both pictures stand beside each other all the same: that is how they are compared.
const narrow = 640;
const besideCrops = 84;
const widestCrop = 270;

interface Props {
  change: RunChange;
  current: boolean;
  mayReview: boolean;
  onChoose: () => void;
  onJudge: (verdict: Verdict) => void;
}

/** One change of a run: what happened, on how many pages, what it looks like, and the verdict on it. */
export function ChangeCard({ change, current, mayReview, onChoose, onJudge }: Props) {
  const t = useTranslations('review');
  const category = useTranslations('category');
  const status = useTranslations('status');
  const done = change.openCount === 0;
  const selector = change.example?.finding?.element?.selector;
  const title = headline(change.description, selector);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- J and K choose, too
    <article className={join(css.card, current && css.current, done && css.done)} onClick={onChoose}>
      <div className={css.words}>
        <p className={css.badges}>
          <Badge tone={tones[change.category]}>{category(change.category)}</Badge>
          {done && <Badge tone="neutral">{t('judgedAll')}</Badge>}
          {!done && change.verdict && change.verdict.status !== 'TO_FIX' && (
            <Badge tone="accent">{t('acceptedButOpen', { count: change.openCount })}</Badge>
          )}
        </p>
        <h2 className={css.title}>
          <bdi>{title}</bdi>
        </h2>
        <p className={css.where}>
          <span>{t('occursOn', { count: change.comparisonsCount })}</span>
          {change.desktopCount > 0 && (
            <span className={css.device}>
              <Monitor aria-hidden="true" /> {t('desktop', { count: change.desktopCount })}
            </span>
          )}
          {change.mobileCount > 0 && (
            <span className={css.device}>
              <Smartphone aria-hidden="true" /> {t('mobile', { count: change.mobileCount })}
            </span>
          )}
        </p>
        {change.example?.finding?.reason && <p className={css.reason}>{change.example.finding.reason}</p>}
        {change.verdict && (
          <p className={css.reason}>
            {status(change.verdict.status)} · <Who person={change.verdict.reviewer} />
          </p>
        )}
        {selector !== undefined && title !== change.description && (
          <code className={css.selector} title={t('selector')}>
            {selector}
          </code>
        )}
        <div className={css.actions}>
          {mayReview && !done && (
            <>
              <Button look={current ? 'primary' : 'plain'} size="small" icon={<Check aria-hidden="true" />} onClick={() => onJudge('OK')}>
                {t('approve', { count: change.openCount })} {current && <Kbd keys="a" />}
              </Button>
              <Button size="small" icon={<Wrench aria-hidden="true" />} onClick={() => onJudge('TO_FIX')}>
                {t('toFix')} {current && <Kbd keys="x" />}
              </Button>
              <Button look="quiet" size="small" onClick={() => onJudge('FALSE_POSITIVE')}>
                {t('falsePositive')} {current && <Kbd keys="f" />}
              </Button>
            </>
          )}
          {change.example && (
            <Link
              to="/comparisons/$comparisonId"
              params={{ comparisonId: change.example.comparison.id }}
              search={{ change: change.fingerprint }}
              className={css.open}
            >
              {t('openExample')}
            </Link>
          )}
        </div>
      </div>
      <Crops change={change} title={title} />
    </article>
  );
}

function Crops({ change, title }: { change: RunChange; title: string }) {
  const t = useTranslations('review');
  const example = change.example;
  if (!example?.finding) {
    return null;
  }
  const before = pictureOf(example.comparison.before);
  const after = pictureOf(example.comparison.after);
  const boxBefore = boxOf(example.finding.boxBefore);
  const boxAfter = boxOf(example.finding.boxAfter);
  const cropWidth = window.innerWidth < narrow ? (window.innerWidth - besideCrops) / 2 : widestCrop;
  return (
    <div className={css.crops}>
      {before !== null && boxBefore !== undefined && (
        <figure className={css.crop}>
          <Crop
            picture={before}
            box={boxBefore}
            maxWidth={cropWidth}
            maxHeight={170}
            margin={24}
            label={t('cropBefore', { what: title })}
          />
          <figcaption>{t('before')}</figcaption>
        </figure>
      )}
      {after !== null && boxAfter !== undefined && (
        <figure className={css.crop}>
          <Crop picture={after} box={boxAfter} maxWidth={cropWidth} maxHeight={170} margin={24} label={t('cropAfter', { what: title })} />
          <figcaption>{t('after')}</figcaption>
        </figure>
      )}
    </div>
  );
}

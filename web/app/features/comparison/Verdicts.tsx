import { Check, RotateCcw, Wrench } from 'lucide-react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Kbd } from '../../../ui/Kbd';
import type { ComparisonStatus } from '../../api/generated/graphql';
import type { Verdict } from '../review/judging';
import css from './Verdicts.module.css';

interface Props {
  status: ComparisonStatus;
  onJudge: (verdict: Verdict) => void;
  onReopen: () => void;
}

/** The verdicts on one comparison, with their keys. */
export function Verdicts({ status, onJudge, onReopen }: Props) {
  const t = useTranslations('review');
  return (
    <div className={css.verdicts} role="group" aria-label={t('verdicts')}>
      <Button
        look={status === 'NEW' ? 'primary' : 'plain'}
        icon={<Check aria-hidden="true" />}
        aria-pressed={status === 'OK'}
        onClick={() => onJudge('OK')}
      >
        {t('approveSelected')}{' '}
        <span className={css.key}>
          <Kbd keys="a" />
        </span>
      </Button>
      <Button icon={<Wrench aria-hidden="true" />} aria-pressed={status === 'TO_FIX'} onClick={() => onJudge('TO_FIX')}>
        {t('toFix')}{' '}
        <span className={css.key}>
          <Kbd keys="x" />
        </span>
      </Button>
      <Button aria-pressed={status === 'FALSE_POSITIVE'} onClick={() => onJudge('FALSE_POSITIVE')}>
        {t('falsePositive')}{' '}
        <span className={css.key}>
          <Kbd keys="f" />
        </span>
      </Button>
      {status !== 'NEW' && (
        <Button look="quiet" icon={<RotateCcw aria-hidden="true" />} onClick={onReopen}>
          {t('reopen')}
        </Button>
      )}
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { SelectField } from '../../../ui/Field';
import { Problem, Skeleton } from '../../../ui/States';
import type { AiFeedbackRuleReach } from '../../api/generated/graphql';
import { ownPath } from '../../api/image';
import { explain } from '../../api/problem';
import { When } from '../../shell/When';
import { useAction } from '../../shell/action';
import { pageName } from '../../shell/pageName';
import css from './TeachDialog.module.css';
import { CreateRule, SimulateRuleDocument, type Simulated } from './query';

const reaches: readonly AiFeedbackRuleReach[] = ['URL', 'GROUP_OR_WEBSITE'];

interface Props {
  comparisonId: string;
  groupId: string;
  /** The changed region, by its number. */
  regionId: number;
  /** The change in words. */
  change: string;
  onClose: () => void;
}

/** Makes a rule of a change, and shows first what it would have silenced in the last 30 days. */
export function TeachDialog({ comparisonId, groupId, regionId, change, onClose }: Props) {
  const t = useTranslations('rules.teach');
  const [scope, setScope] = useState<AiFeedbackRuleReach>('URL');
  const rule = { type: 'VISUAL' as const, comparisonId, regionId, scope };
  const [{ data, error, fetching, stale }] = useQuery({
    query: SimulateRuleDocument,
    variables: { groupId, rule },
    requestPolicy: 'network-only',
  });
  const create = useAction(CreateRule);
  const createNow = async () => {
    if ((await create.act({ input: rule }, t('created'))) !== undefined) {
      onClose();
    }
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button look="primary" busy={create.busy} onClick={() => void createNow()}>
        {t('create')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('title')}
      about={<bdi>{change}</bdi>}
      closeLabel={t('cancel')}
      actions={actions}
      wide
    >
      <SelectField
        label={t('scope')}
        value={scope}
        onChange={setScope}
        options={reaches.map((value) => ({ value, label: t(`scopes.${value}`) }))}
      />
      <section aria-live="polite" aria-busy={fetching || stale}>
        <h3 className={css.heading}>{t('effect')}</h3>
        {error !== undefined ? (
          <Problem title={t('notSimulated')} message={explain(error)} />
        ) : data === undefined || fetching ? (
          <Skeleton height={72} />
        ) : (
          <Effect simulated={data.simulate} />
        )}
      </section>
    </Dialog>
  );
}

function Effect({ simulated }: { simulated: Simulated }) {
  const t = useTranslations('rules.teach');
  const device = useTranslations('device');
  return (
    <>
      <p>
        {t('outcome', {
          former: simulated.alarmsThen,
          gone: simulated.alarmsThen - simulated.alarmsNow,
          stays: simulated.alarmsNow,
          all: simulated.comparisonsCount,
        })}
        {!simulated.complete && ` ${t('incomplete')}`}
      </p>
      <ul className={css.vanished}>
        {simulated.vanished.map((comparison) => (
          <li key={comparison.id}>
            <Link to="/comparisons/$comparisonId" params={{ comparisonId: comparison.id }} target="_blank" className={css.page}>
              {comparison.previewLink !== null && (
                <img className={css.picture} src={ownPath(comparison.previewLink)} alt="" loading="lazy" />
              )}
              <span className={css.address}>
                <bdi>{pageName(comparison.address)}</bdi>
                <span className={css.about}>
                  {device(comparison.device)} · <When time={comparison.createdAt} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

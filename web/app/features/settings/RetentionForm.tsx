import { useTranslations } from 'use-intl';
import { useState } from 'react';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { SelectField, TextField } from '../../../ui/Field';
import { Panel } from '../../../ui/Panel';
import { SwitchField } from '../../../ui/Switch';
import type { RetentionInput, StorageQuery } from '../../api/generated/graphql';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import css from './Settings.module.css';
import { RetentionPreviewDocument, UpdateRetentionDocument } from './query';

type Period = 'default' | 'forever' | 'days';

interface Draft {
  period: Period;
  days: string;
  runs: string;
  reviewed: boolean;
}

const draftOf = ({ days, runs, reviewed }: StorageQuery['account']['retention']): Draft => ({
  period: days === null ? 'default' : days === 0 ? 'forever' : 'days',
  days: String(days === null || days === 0 ? 90 : days),
  runs: String(runs),
  reviewed,
});

/** The rule that a draft stands for; undefined while a number is missing or out of range. */
function inputOf(draft: Draft): RetentionInput | undefined {
  const days = Number(draft.days);
  const runs = Number(draft.runs);
  const valid = (n: number, text: string, from: number, to: number) => text !== '' && Number.isInteger(n) && n >= from && n <= to;
  if (!valid(runs, draft.runs, 0, 1000) || (draft.period === 'days' && !valid(days, draft.days, 1, 3650))) {
    return undefined;
  }
  return { days: { default: null, forever: 0, days }[draft.period], runs, reviewed: draft.reviewed };
}

/** Which runs are kept. Before it is saved, it tells how many runs expire. */
export function RetentionForm({ retention }: { retention: StorageQuery['account']['retention'] }) {
  const t = useTranslations('settings.retention');
  const mayOwn = useMay('OWN');
  const [draft, setDraft] = useState(() => draftOf(retention));
  const update = useAction(UpdateRetentionDocument);
  const input = inputOf(draft);
  const number = (field: 'days' | 'runs', from: number, to: number) => ({
    label: t(field),
    type: 'number',
    min: from,
    max: to,
    required: true,
    value: draft[field],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [field]: event.target.value }),
    problem: update.problems[field],
    disabled: !mayOwn,
  });
  return (
    <Panel title={t('title')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (input !== undefined) {
            void update.act({ input }, t('saved'));
          }
        }}
      >
        <div className={css.columns}>
          <SelectField<Period>
            label={t('keep')}
            hint={t('keepAbout')}
            value={draft.period}
            options={(['default', 'forever', 'days'] as const).map((value) => ({ value, label: t(`periods.${value}`) }))}
            onChange={(period) => setDraft({ ...draft, period })}
            disabled={!mayOwn}
          />
          {draft.period === 'days' && <TextField {...number('days', 1, 3650)} />}
          {draft.period !== 'forever' && <TextField {...number('runs', 0, 1000)} hint={t('runsAbout')} />}
        </div>
        {draft.period !== 'forever' && (
          <SwitchField
            label={t('reviewed')}
            hint={t('reviewedAbout')}
            checked={draft.reviewed}
            onChange={(reviewed) => setDraft({ ...draft, reviewed })}
            disabled={!mayOwn}
          />
        )}
        {mayOwn && (
          <>
            {input !== undefined && draft.period === 'days' && <Preview input={input} />}
            <Button type="submit" look="primary" busy={update.busy} disabled={input === undefined}>
              {t('save')}
            </Button>
          </>
        )}
      </form>
    </Panel>
  );
}

function Preview({ input }: { input: RetentionInput }) {
  const t = useTranslations('settings.retention');
  const [{ data }] = useQuery({ query: RetentionPreviewDocument, variables: { input }, requestPolicy: 'network-only' });
  const runs = data?.retentionPreview ?? null;
  return (
    <p className={css.aside} role="status">
      {runs === null ? t('counting') : t('preview', { runs })}
    </p>
  );
}

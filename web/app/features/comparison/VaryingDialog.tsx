import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Dialog } from '../../../ui/Dialog';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import type { LearnedCorrection } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import css from './VaryingDialog.module.css';
import { CorrectLearnedNoise, LearnedNoiseDocument, type LearnedNoise, type LearnedPart, type ShownComparison } from './query';

interface Props {
  comparison: Pick<ShownComparison, 'urlId' | 'device' | 'address'>;
  onClose: () => void;
}

/** The parts of a page that change with no update, as learned; people correct here what was learned wrongly. */
export function VaryingDialog({ comparison: { urlId, device, address }, onClose }: Props) {
  const t = useTranslations('comparison.varying');
  const mayReview = useMay('REVIEW');
  const [forgetting, setForgetting] = useState(false);
  const { data, error, refresh } = useRefreshable({
    query: LearnedNoiseDocument,
    variables: { urlId, device },
    requestPolicy: 'cache-and-network',
  });
  const { act, busy } = useAction(CorrectLearnedNoise);
  const correct = async (correction: LearnedCorrection, selector?: string) => {
    const done = correction === 'FORGET' ? t('forgotten') : t('corrected');
    if ((await act({ input: { urlId, device, correction, selector: selector ?? null } }, done)) !== undefined) {
      refresh();
    }
  };
  const known = (data?.learnedNoise.parts.length ?? 0) > 0;
  const actions = (
    <>
      {mayReview && known && (
        <Button look="danger" onClick={() => setForgetting(true)}>
          {t('forgetAll')}
        </Button>
      )}
      <Button onClick={onClose}>{t('close')}</Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('title')}
      about={<bdi>{address}</bdi>}
      closeLabel={t('close')}
      actions={actions}
      wide
    >
      <Loaded data={data} error={error} retry={refresh}>
        {({ learnedNoise }) => (
          <Parts noise={learnedNoise} busy={busy} onCorrect={mayReview ? (...args) => void correct(...args) : undefined} />
        )}
      </Loaded>
      <Confirm
        open={forgetting}
        onClose={() => setForgetting(false)}
        title={t('forgetAllTitle')}
        about={t('forgetAllAbout')}
        confirm={t('forgetAll')}
        cancel={t('close')}
        busy={busy}
        onConfirm={() => {
          setForgetting(false);
          void correct('FORGET');
        }}
      />
    </Dialog>
  );
}

interface PartsProps {
  noise: LearnedNoise;
  busy: boolean;
  /** Undefined for those who only look. */
  onCorrect: ((correction: LearnedCorrection, selector: string) => void) | undefined;
}

function Parts({ noise, busy, onCorrect }: PartsProps) {
  const t = useTranslations('comparison.varying');
  if (noise.parts.length === 0) {
    return <Empty title={t('none')}>{t('noneAbout')}</Empty>;
  }
  return (
    <>
      <p className={css.about}>
        {t('about')} {t('visits', { count: noise.visitsCount })}
      </p>
      <Table label={t('title')} columns={[t('part'), t('changed'), t('counts'), ...(onCorrect ? [''] : [])]}>
        {noise.parts.map((part) => (
          <tr key={part.selector}>
            <th scope="row" className={css.part}>
              <code>{part.selector}</code>
            </th>
            <td data-label={t('changed')}>
              {part.changes.map(({ property, changedCount }) => (
                <div key={property}>
                  {t('times', { property: t(`properties.${property}`), count: changedCount, visits: part.visitsCount })}
                </div>
              ))}
            </td>
            <td data-label={t('counts')}>
              {onCorrect === undefined ? (
                stateOf(part, t)
              ) : (
                <Verdict part={part} busy={busy} onChange={(correction) => onCorrect(correction, part.selector)} />
              )}
            </td>
            {onCorrect !== undefined && (
              <td>
                <Button
                  size="small"
                  look="quiet"
                  aria-label={t('forgetPart', { part: part.selector })}
                  disabled={busy}
                  onClick={() => onCorrect('FORGET', part.selector)}
                >
                  {t('forget')}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </Table>
    </>
  );
}

type Words = ReturnType<typeof useTranslations<'comparison.varying'>>;

function stateOf(part: LearnedPart, t: Words): string {
  return t(`states.${part.mark ?? (part.isVarying ? 'varies' : 'counts')}`);
}

const marks = ['CONTENT', 'VARYING'] as const;

function Verdict({ part, busy, onChange }: { part: LearnedPart; busy: boolean; onChange: (correction: LearnedCorrection) => void }) {
  const t = useTranslations('comparison.varying');
  return (
    <select
      className={css.verdict}
      aria-label={t('verdictOf', { part: part.selector })}
      value={part.mark ?? ''}
      disabled={busy}
      onChange={(event) => onChange((event.target.value || 'UNMARK') as LearnedCorrection)}
    >
      <option value="">{t('learned', { state: t(part.isVarying ? 'states.varies' : 'states.counts') })}</option>
      {marks.map((mark) => (
        <option key={mark} value={mark}>
          {t(`choices.${mark}`)}
        </option>
      ))}
    </select>
  );
}

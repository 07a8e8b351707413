import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

import { Badge, type Tone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Table } from '../../../ui/Table';
import { useAction } from '../../shell/action';
import { When } from '../../shell/When';
import { useMay } from '../../shell/viewer';
import css from './Settings.module.css';
import { RedeliverDocument, type Delivery } from './webhookQuery';

const tones: Record<Delivery['state'], Tone> = { PENDING: 'neutral', DELIVERED: 'good', FAILED: 'alert' };

/** What was delivered, newest first; each opens its attempts. */
export function Deliveries({ deliveries, onChange }: { deliveries: readonly Delivery[]; onChange: () => void }) {
  const t = useTranslations('settings.webhooks');
  const mayEdit = useMay('EDIT');
  const [open, setOpen] = useState<string>();
  const { act, busy } = useAction(RedeliverDocument);
  const again = async (id: string) => {
    if ((await act({ id }, t('restarted'))) !== undefined) {
      onChange();
    }
  };
  const shown = deliveries.find((delivery) => delivery.id === open);
  return (
    <>
      <Table label={t('log')} columns={[t('event.title'), t('state'), t('attempts'), t('when'), '']}>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <th scope="row">{t(`event.${delivery.event}`)}</th>
            <td>
              <Badge tone={tones[delivery.state]}>{t(`states.${delivery.state}`)}</Badge> {delivery.problem}
            </td>
            <td data-label={t('attempts')}>{delivery.attemptCount}</td>
            <td>
              <When time={delivery.createdAt} />
            </td>
            <td>
              <span className={css.buttons}>
                <Button size="small" onClick={() => setOpen(delivery.id)}>
                  {t('details')}
                </Button>
                {mayEdit && delivery.state !== 'PENDING' && (
                  <Button size="small" busy={busy} onClick={() => void again(delivery.id)}>
                    {t('redeliver')}
                  </Button>
                )}
              </span>
            </td>
          </tr>
        ))}
      </Table>
      {shown !== undefined && <Attempts delivery={shown} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Attempts({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const t = useTranslations('settings.webhooks');
  const format = useFormatter();
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t(`event.${delivery.event}`)} closeLabel={t('cancel')} wide>
      {delivery.body !== null && (
        <pre className={css.text} tabIndex={0}>
          {delivery.body}
        </pre>
      )}
      <ol className={css.attempts} aria-label={t('attempts')}>
        {delivery.attempts.map((attempt) => (
          <li key={attempt.number}>
            <Badge tone={attempt.problem === null ? 'good' : 'alert'}>{attempt.status ?? t('noAnswer')}</Badge>{' '}
            {t('attempt', {
              number: attempt.number,
              at: format.dateTime(new Date(attempt.at), { dateStyle: 'medium', timeStyle: 'medium' }),
              milliseconds: attempt.milliseconds,
            })}
            {attempt.problem !== null && <p className={css.quiet}>{attempt.problem}</p>}
            {attempt.answer !== null && attempt.answer !== '' && (
              <pre className={css.text} tabIndex={0}>
                {attempt.answer}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

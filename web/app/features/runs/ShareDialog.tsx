import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useMutation } from 'urql';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { SelectField } from '../../../ui/Field';
import { tell } from '../../../ui/Toasts';
import { explain } from '../../api/problem';
import type { LinkPermission } from '../../api/generated/graphql';
import css from './ShareDialog.module.css';
import { ShareRun, UnshareRun, type RunHead } from './query';

const lifetimes = ['7', '30', '90', 'never'] as const;
type Lifetime = (typeof lifetimes)[number];

const permissions = ['READ', 'REVIEW'] as const satisfies readonly LinkPermission[];

const day = 24 * 60 * 60 * 1000;

interface Props {
  run: RunHead;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The public link of a run: whoever has it sees the run and its comparisons, without signing in. */
export function ShareDialog({ run, open, onOpenChange }: Props) {
  const t = useTranslations('runs.sharing');
  const format = useFormatter();
  const [lifetime, setLifetime] = useState<Lifetime>('30');
  const [permission, setPermission] = useState<LinkPermission>('READ');
  const [sharing, share] = useMutation(ShareRun);
  const [unsharing, unshare] = useMutation(UnshareRun);
  const link = run.publicLink;
  const shareNow = async (granted: LinkPermission) => {
    const expiresAt = lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * day).toISOString();
    const { error } = await share({ id: run.id, expiresAt, permission: granted });
    if (error !== undefined) {
      tell({ title: t('notShared'), description: explain(error), tone: 'problem' });
    }
  };
  const copy = async (url: string) => {
    await navigator.clipboard.writeText(url);
    tell({ title: t('copied') });
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('title')} about={t('about')} closeLabel={t('close')}>
      {link === null ? (
        <>
          <SelectField
            label={t('permission')}
            value={permission}
            onChange={setPermission}
            options={permissions.map((value) => ({ value, label: t(`permissions.${value}`) }))}
          />
          <p className={css.about}>{t(`permissionAbout.${permission}`)}</p>
          <SelectField
            label={t('lifetime')}
            value={lifetime}
            onChange={setLifetime}
            options={lifetimes.map((value) => ({ value, label: t(`lifetimes.${value}`) }))}
          />
          <Button look="primary" busy={sharing.fetching} onClick={() => void shareNow(permission)}>
            {t('create')}
          </Button>
        </>
      ) : (
        <>
          <div className={css.link}>
            <input className={css.url} readOnly value={link.url} aria-label={t('link')} onFocus={(event) => event.target.select()} />
            <Button icon={<Copy aria-hidden="true" />} onClick={() => void copy(link.url)}>
              {t('copy')}
            </Button>
          </div>
          <p className={css.expiry}>
            {t('permission')} {t(`permissions.${link.permission}`)}.{' '}
            {link.expiresAt === null
              ? t('never')
              : t('expires', { when: format.dateTime(new Date(link.expiresAt), { dateStyle: 'long' }) })}
          </p>
          <div className={css.actions}>
            <Button busy={sharing.fetching} onClick={() => void shareNow(link.permission)}>
              {t('renew')}
            </Button>
            <Button look="danger" busy={unsharing.fetching} onClick={() => void unshare({ id: run.id })}>
              {t('end')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

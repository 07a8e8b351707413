import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { UpdateWebsiteDocument } from './query';

/** Gives the website another domain, after a move. */
export function EditWebsite({ id, domain }: { id: string; domain: string }) {
  const t = useTranslations('website.editing');
  const mayEdit = useMay('EDIT');
  const [open, setOpen] = useState(false);
  if (!mayEdit) {
    return null;
  }
  return (
    <>
      <Button icon={<Pencil aria-hidden="true" />} onClick={() => setOpen(true)}>
        {t('edit')}
      </Button>
      {open && <Form id={id} domain={domain} onClose={() => setOpen(false)} />}
    </>
  );
}

function Form({ id, domain, onClose }: { id: string; domain: string; onClose: () => void }) {
  const t = useTranslations('website.editing');
  const [draft, setDraft] = useState(domain);
  const { act, busy, problems } = useAction(UpdateWebsiteDocument);
  const save = async () => {
    if ((await act({ id, input: { domain: draft } }, t('saved'))) !== undefined) {
      onClose();
    }
  };
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t('title')} closeLabel={t('cancel')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={t('domain')}
          hint={t('domainAbout')}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          problem={problems['domain']}
          maxLength={255}
          required
        />
        <Button type="submit" look="primary" busy={busy}>
          {t('save')}
        </Button>
      </form>
    </Dialog>
  );
}

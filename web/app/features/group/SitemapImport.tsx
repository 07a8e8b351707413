import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import { Progress } from '../../../ui/Progress';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { useAction } from '../../shell/action';
import css from './Group.module.css';
import { PagePicker } from './PagePicker';
import { ImportDocument, SitemapDocument } from './query';

interface Props {
  open: boolean;
  groupId: string;
  onClose: () => void;
  onAdded: () => void;
}

/** Reads the sitemap of a site, or the links of its start page, and lets the user choose from its pages. */
export function SitemapImport({ open, groupId, onClose, onAdded }: Props) {
  const t = useTranslations('group.sitemap');
  const [domain, setDomain] = useState('');
  const [reading, setReading] = useState<{ id: string; domain: string }>();
  const { act, busy, problems } = useAction(SitemapDocument);
  const close = () => {
    setReading(undefined);
    onClose();
  };
  const start = async () => {
    const data = await act({ domain });
    if (data !== undefined) {
      setReading(data.addUrlsFromSitemap.urlImport);
    }
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title={t('title')} about={t('about')} closeLabel={t('cancel')} wide>
      {reading === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <TextField
            label={t('domain')}
            value={domain}
            onChange={(event) => setDomain(event.target.value)}
            placeholder="www.example.com"
            problem={problems['domain']}
            maxLength={255}
            required
          />
          <Button type="submit" look="primary" busy={busy}>
            {t('read')}
          </Button>
        </form>
      ) : (
        <SitemapPages
          importId={reading.id}
          groupId={groupId}
          domain={reading.domain}
          onAdded={() => {
            onAdded();
            close();
          }}
        />
      )}
    </Dialog>
  );
}

const step = 1_500; // milliseconds between two looks at an import under way

/** The progress of an import, and then its pages to choose from. */
export function SitemapPages({
  importId,
  groupId,
  domain,
  onAdded,
}: {
  importId: string;
  groupId: string;
  domain: string;
  onAdded: () => void;
}) {
  const t = useTranslations('group.sitemap');
  const { data, refresh } = useRefreshable({ query: ImportDocument, variables: { id: importId } });
  useLiveRefresh(['URL_IMPORT_FINISHED'], refresh);
  const state = data?.urlImport?.state ?? 'STARTED';
  const ended = state === 'DONE' || state === 'FAILED';
  useEffect(() => {
    if (ended) {
      return undefined;
    }
    const timer = setInterval(refresh, step);
    return () => clearInterval(timer);
  }, [ended, refresh]);
  const problems = data?.urlImport?.problems ?? [];
  return (
    <>
      <p role="status">
        {state === 'DONE'
          ? t('done', { count: data?.urlImport?.urlsCount ?? 0, added: data?.urlImport?.addedCount ?? 0 })
          : state === 'FAILED'
            ? t('failed', { domain })
            : t('reading', { domain })}
      </p>
      {!ended && <Progress label={t('reading', { domain })} done={0} planned={0} />}
      {problems.length > 0 && (
        <ul className={css.quiet}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {state === 'DONE' && <PagePicker groupId={groupId} domain={domain} onAdded={onAdded} />}
    </>
  );
}

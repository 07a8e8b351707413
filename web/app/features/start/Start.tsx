import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button, buttonClass } from '../../../ui/Button';
import { TextField } from '../../../ui/Field';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { SitemapPages } from '../group/SitemapImport';
import { AddAddressesDocument, SitemapDocument } from '../group/query';
import { AddGroupDocument } from '../sites/query';
import { FirstRun } from './FirstRun';
import css from './Start.module.css';

const route = getRouteApi('/start');

/** From an address to the first comparison. What was reached is in the address, so that reloading goes on from there. */
export function Start() {
  const t = useTranslations('start');
  const { group, domain, reading, batch } = route.useSearch();
  const mayEdit = useMay('EDIT');
  const step = group === undefined ? 1 : batch === undefined && reading !== undefined ? 2 : 3;
  return (
    <Page title={t('title')} about={t('about')}>
      <ol className={css.steps} aria-label={t('steps')}>
        {([1, 2, 3] as const).map((each) => (
          <li key={each} aria-current={each === step ? 'step' : undefined}>
            {t(`step${each}`)}
          </li>
        ))}
      </ol>
      <Panel>
        {!mayEdit ? (
          <p>{t('mayNot')}</p>
        ) : group === undefined ? (
          <Address />
        ) : step === 2 && reading !== undefined ? (
          <Pages group={group} domain={domain ?? ''} reading={reading} />
        ) : (
          <FirstRun groupId={group} batchId={batch} />
        )}
      </Panel>
    </Page>
  );
}

/** Takes the address, makes a group of that page, and has the sitemap of its site read. */
function Address() {
  const t = useTranslations('start');
  const navigate = route.useNavigate();
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string>();
  const group = useAction(AddGroupDocument);
  const pages = useAction(AddAddressesDocument);
  const sitemap = useAction(SitemapDocument);
  const domain = address.trim().replace(/^[a-z]+:\/\//i, '').replace(/[/?#].*$/, '');

  const begin = async () => {
    setProblem(undefined);
    const read = await sitemap.act({ domain });
    if (read === undefined) {
      return;
    }
    const made = await group.act({ input: { name: domain, monitoring: false } });
    if (made === undefined) {
      return;
    }
    const groupId = made.createGroup.group.id;
    const added = await pages.act({ groupId, addresses: [address.trim()], dryRun: false });
    const refused = added?.addAddressesToGroup.refused[0];
    if (refused !== undefined) {
      setProblem(refused.message);
    }
    const { id: reading, domain: site } = read.addUrlsFromSitemap.urlImport;
    void navigate({ search: { group: groupId, domain: site, reading } });
  };

  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <TextField
        label={t('address')}
        hint={t('addressAbout')}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        problem={problem ?? sitemap.problems['domain']}
        placeholder="www.example.com"
        maxLength={2048}
        autoFocus
        required
      />
      <Button type="submit" look="primary" busy={sitemap.busy || group.busy || pages.busy}>
        {t('begin')}
      </Button>
    </form>
  );
}

/** Proposes the pages of the sitemap; without one, the page of the address is there already. */
function Pages({ group, domain, reading }: { group: string; domain: string; reading: string }) {
  const t = useTranslations('start');
  const go = { to: '/start', search: { group, domain } } as const;
  const navigate = route.useNavigate();
  return (
    <>
      <p>{t('pagesAbout')}</p>
      <SitemapPages importId={reading} groupId={group} domain={domain} onAdded={() => void navigate(go)} />
      <p className={css.on}>
        <Link {...go} className={buttonClass('plain')}>
          {t('onlyThis')}
        </Link>
      </p>
    </>
  );
}

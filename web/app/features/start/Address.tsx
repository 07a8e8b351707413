import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from 'urql';

import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/Field';
import { useAction } from '../../shell/action';
import { AddAddressesDocument, SitemapDocument } from '../group/query';
import { AddGroupDocument } from '../sites/query';
import css from './Start.module.css';
import { AddPageDocument, GroupsNamedDocument } from './query';

const route = getRouteApi('/start');

/** A page that the server took, and the host it is on. */
interface Page {
  address: string;
  host: string;
}

/** Takes an address, makes a group of its page, or takes up the group of that site, and has the pages of the site looked for. */
export function Address() {
  const t = useTranslations('start');
  const navigate = route.useNavigate();
  const client = useClient();
  const [address, setAddress] = useState('');
  const [known, setKnown] = useState<{ page: Page; groupId: string }>();
  const [working, setWorking] = useState(false);
  const page = useAction(AddPageDocument);
  const group = useAction(AddGroupDocument);
  const pages = useAction(AddAddressesDocument);
  const sitemap = useAction(SitemapDocument);

  /** The group that bears the name of the host already. */
  const groupOf = async (host: string) => {
    const found = await client.query(GroupsNamedDocument, { search: host }, { requestPolicy: 'network-only' }).toPromise();
    return found.data?.groups.nodes.find((each) => each.name === host)?.id;
  };

  // The page goes first: an address that is refused leaves nothing behind.
  const begin = async () => {
    setKnown(undefined);
    const typed = address.trim();
    const taken = (await page.act({ input: { url: typed } }))?.createUrl.url.address;
    if (taken === undefined) {
      return;
    }
    const wanted = { address: typed, host: taken.replace(/\/.*$/, '') };
    const groupId = await groupOf(wanted.host);
    if (groupId === undefined) {
      await make(wanted);
    } else {
      setKnown({ page: wanted, groupId });
    }
  };

  const make = async (wanted: Page) => {
    const made = await group.act({ input: { name: wanted.host, monitoring: false } });
    if (made !== undefined) {
      await goOn(wanted, made.createGroup.group.id);
    }
  };

  const goOn = async ({ address: added, host }: Page, groupId: string) => {
    if ((await pages.act({ groupId, addresses: [added], dryRun: false })) === undefined) {
      return;
    }
    // Without a sitemap the way goes on: the page alone will do.
    const read = await sitemap.act({ domain: host });
    void navigate({ search: { group: groupId, domain: host, reading: read?.addUrlsFromSitemap.urlImport.id } });
  };

  const during = async (work: Promise<void>) => {
    setWorking(true);
    await work;
    setWorking(false);
  };

  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void during(begin());
      }}
    >
      <TextField
        label={t('address')}
        hint={t('addressAbout')}
        value={address}
        onChange={(event) => {
          setAddress(event.target.value);
          setKnown(undefined);
        }}
        problem={page.problems['url']}
        placeholder="www.example.com"
        inputMode="url"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={2048}
        autoFocus
        required
      />
      {known === undefined ? (
        <Button type="submit" look="primary" busy={working}>
          {t('begin')}
        </Button>
      ) : (
        <>
          <p role="status">{t('known', { name: known.page.host })}</p>
          <p className={css.on}>
            <Button look="primary" busy={working} onClick={() => void during(goOn(known.page, known.groupId))}>
              {t('useKnown')}
            </Button>
            <Button busy={working} onClick={() => void during(make(known.page))}>
              {t('makeAnother')}
            </Button>
          </p>
        </>
      )}
    </form>
  );
}

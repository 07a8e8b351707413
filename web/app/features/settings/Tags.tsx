import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import css from './Settings.module.css';
import { DeleteTagDocument, RenameTagDocument, TagsDocument, type Tag } from './query';

type Doing = { what: 'rename' | 'delete'; tag: Tag };

/** The tags that URLs have, renamed and deleted for all of them at once. */
export function Tags() {
  const t = useTranslations('settings.tags');
  const mayEdit = useMay('EDIT');
  // Other screens change them, too.
  const { data, error, refresh } = useRefreshable({ query: TagsDocument, requestPolicy: 'cache-and-network' });
  useLiveRefresh(['GROUP_UPDATED', 'URL_UPDATED', 'URL_DELETED'], refresh);
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ tags }) => (
        <Panel title={t('title')} flush>
          {tags.length === 0 ? (
            <Empty title={t('empty')}>{t('emptyAbout')}</Empty>
          ) : (
            <Table label={t('title')} columns={[t('name'), t('urls'), '']}>
              {tags.map((tag) => (
                <tr key={tag.name}>
                  <th scope="row">
                    <bdi>{tag.name}</bdi>
                  </th>
                  <td data-label={t('urls')}>{tag.urlsCount}</td>
                  <td>
                    {mayEdit && (
                      <span className={css.buttons}>
                        <Button size="small" onClick={() => setDoing({ what: 'rename', tag })}>
                          {t('rename')}
                        </Button>
                        <Button size="small" look="danger" onClick={() => setDoing({ what: 'delete', tag })}>
                          {t('delete')}
                        </Button>
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )}
          {doing?.what === 'rename' && <Rename tag={doing.tag} onClose={close} onRenamed={refresh} />}
          {doing?.what === 'delete' && <Delete tag={doing.tag} onClose={close} onDeleted={refresh} />}
        </Panel>
      )}
    </Loaded>
  );
}

function Rename({ tag, onClose, onRenamed }: { tag: Tag; onClose: () => void; onRenamed: () => void }) {
  const t = useTranslations('settings.tags');
  const [name, setName] = useState(tag.name);
  const { act, busy, problems } = useAction(RenameTagDocument);
  const save = async () => {
    if ((await act({ name: tag.name, newName: name }, t('saved'))) !== undefined) {
      onRenamed();
      onClose();
    }
  };
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t('renameTitle', { name: tag.name })} closeLabel={t('cancel')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={problems['newName']}
          maxLength={50}
          required
        />
        <Button type="submit" look="primary" busy={busy}>
          {t('save')}
        </Button>
      </form>
    </Dialog>
  );
}

function Delete({ tag, onClose, onDeleted }: { tag: Tag; onClose: () => void; onDeleted: () => void }) {
  const t = useTranslations('settings.tags');
  const { act, busy } = useAction(DeleteTagDocument);
  const drop = async () => {
    if ((await act({ name: tag.name }, t('deleted'))) !== undefined) {
      onDeleted();
    }
    onClose();
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { name: tag.name })}
      about={t('deleteAbout', { count: tag.urlsCount })}
      confirm={t('delete')}
      cancel={t('cancel')}
      busy={busy}
      onConfirm={() => void drop()}
    />
  );
}

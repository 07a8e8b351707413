import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Dialog } from '../../../ui/Dialog';
import { TextArea, TextField } from '../../../ui/Field';
import { Loading } from '../../../ui/States';
import { TagsField } from '../../../ui/TagsField';
import type { UrlOverridesQuery } from '../../api/generated/graphql';
import { useAction } from '../../shell/action';
import css from './Group.module.css';
import { DeleteUrlDocument, RemoveUrlsDocument, SaveUrlDocument, UrlOverridesDocument, type Row, type Tag } from './query';

interface Props {
  row: Row;
  tags: readonly Tag[];
  editable: boolean;
  /** In percent; a URL without a threshold of its own has it. */
  groupThreshold: number;
  onClose: () => void;
  /** The list is not what it was: the URL has another address or other tags, or is gone. */
  onChanged: () => void;
}

type Settings = UrlOverridesQuery['groupUrls']['nodes'][number];

/** A URL: its address, title and tags, what it has of its own in its group, and how to be rid of it. */
export function UrlDialog(props: Props) {
  const t = useTranslations('group.overrides');
  const { row, onClose } = props;
  const [{ data }] = useQuery({
    query: UrlOverridesDocument,
    variables: { groupId: row.groupId, urlIds: [row.urlId] },
    requestPolicy: 'network-only',
  });
  const settings = data?.groupUrls.nodes[0];
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t('title')} about={row.address} closeLabel={t('cancel')} wide>
      {settings === undefined ? <Loading label={t('loading')} rows={3} /> : <Form {...props} settings={settings} />}
    </Dialog>
  );
}

function Form({ row, settings, tags: known, editable, groupThreshold, onClose, onChanged }: Props & { settings: Settings }) {
  const t = useTranslations('group.overrides');
  const [address, setAddress] = useState(settings.address);
  const [title, setTitle] = useState(settings.htmlTitle);
  const [tags, setTags] = useState<readonly string[]>(settings.tags);
  const [threshold, setThreshold] = useState(settings.threshold === null ? '' : String(settings.threshold));
  const [style, setStyle] = useState(settings.css ?? '');
  const [script, setScript] = useState(settings.js ?? '');
  const { act, busy, problems } = useAction(SaveUrlDocument);

  const save = async () => {
    const url = { ...(address !== settings.address && { url: address }), ...(title !== settings.htmlTitle && { htmlTitle: title }) };
    const add = tags.filter((tag) => !settings.tags.includes(tag));
    const remove = settings.tags.filter((tag) => !tags.includes(tag));
    const input = { threshold: threshold === '' ? null : Number(threshold), css: style || null, js: script || null };
    const changes = { url, withUrl: Object.keys(url).length > 0, add, remove, withTags: add.length + remove.length > 0 };
    if ((await act({ groupId: row.groupId, urlId: row.urlId, input, ...changes }, t('saved'))) !== undefined) {
      onChanged();
      onClose();
    }
  };
  const tagProblem = Object.entries(problems).find(([path]) => path.startsWith('add'))?.[1];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={t('address')}
        hint={t('addressAbout')}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        problem={problems['url']}
        maxLength={2048}
        disabled={!editable}
        required
      />
      <TextField
        label={t('htmlTitle')}
        hint={t('htmlTitleAbout')}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        problem={problems['htmlTitle']}
        maxLength={255}
        disabled={!editable}
      />
      <TagsField
        label={t('tags')}
        hint={t('tagsAbout')}
        tags={tags}
        known={known.map(({ name }) => name)}
        removeLabel={(tag) => t('removeTag', { tag })}
        onChange={setTags}
        problem={tagProblem}
        disabled={!editable}
      />
      <TextField
        label={t('threshold')}
        hint={t('thresholdAbout', { percent: groupThreshold })}
        type="number"
        min={0}
        max={100}
        step="any"
        value={threshold}
        onChange={(event) => setThreshold(event.target.value)}
        problem={problems['threshold']}
        disabled={!editable}
      />
      <TextArea
        label={t('css')}
        hint={t('cssAbout')}
        className={css.code}
        value={style}
        onChange={(event) => setStyle(event.target.value)}
        problem={problems['css']}
        disabled={!editable}
        spellCheck={false}
      />
      <TextArea
        label={t('js')}
        hint={t('jsAbout')}
        className={css.code}
        value={script}
        onChange={(event) => setScript(event.target.value)}
        problem={problems['js']}
        disabled={!editable}
        spellCheck={false}
      />
      {editable && (
        <div className={css.buttons}>
          <Button type="submit" look="primary" busy={busy}>
            {t('save')}
          </Button>
          <Removal row={row} onRemoved={onChanged} onClose={onClose} />
        </div>
      )}
    </form>
  );
}

/** The two ways to be rid of a URL. */
function Removal({ row, onRemoved, onClose }: { row: Row; onRemoved: () => void; onClose: () => void }) {
  const t = useTranslations('group.overrides');
  const remove = useAction(RemoveUrlsDocument);
  const drop = useAction(DeleteUrlDocument);
  const [asking, setAsking] = useState(false);
  const finish = (data: unknown) => {
    setAsking(false);
    if (data !== undefined) {
      onRemoved();
      onClose();
    }
  };
  return (
    <>
      <Button busy={remove.busy} onClick={() => void remove.act({ groupId: row.groupId, urls: [row.urlId] }, t('removed')).then(finish)}>
        {t('remove')}
      </Button>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('delete')}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('deleteTitle')}
        about={t('deleteAbout', { address: row.address })}
        confirm={t('delete')}
        cancel={t('cancel')}
        busy={drop.busy}
        onConfirm={() => void drop.act({ id: row.urlId }, t('deleted')).then(finish)}
      />
    </>
  );
}

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextArea, TextField } from '../../../ui/Field';
import { Loading } from '../../../ui/States';
import { useAction } from '../../shell/action';
import css from './Group.module.css';
import { RemoveUrlsDocument, UpdateUrlDocument, UrlOverridesDocument, type Row } from './query';

interface Props {
  row: Row;
  editable: boolean;
  /** In percent; a URL without a threshold of its own has it. */
  groupThreshold: number;
  onClose: () => void;
  onRemoved: () => void;
}

/** What a URL has of its own in its group: threshold, CSS and JavaScript. */
export function Overrides({ row, editable, groupThreshold, onClose, onRemoved }: Props) {
  const t = useTranslations('group.overrides');
  const [{ data }] = useQuery({
    query: UrlOverridesDocument,
    variables: { groupId: row.groupId, urlIds: [row.urlId] },
    requestPolicy: 'network-only',
  });
  const settings = data?.groupUrls.nodes[0];
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t('title')} about={row.address} closeLabel={t('cancel')} wide>
      {settings === undefined ? (
        <Loading label={t('loading')} rows={3} />
      ) : (
        <Form row={row} settings={settings} editable={editable} groupThreshold={groupThreshold} onClose={onClose} onRemoved={onRemoved} />
      )}
    </Dialog>
  );
}

interface FormProps extends Props {
  settings: { css: string | null; js: string | null; threshold: number | null };
}

function Form({ row, settings, editable, groupThreshold, onClose, onRemoved }: FormProps) {
  const t = useTranslations('group.overrides');
  const [threshold, setThreshold] = useState(settings.threshold === null ? '' : String(settings.threshold));
  const [style, setStyle] = useState(settings.css ?? '');
  const [script, setScript] = useState(settings.js ?? '');
  const update = useAction(UpdateUrlDocument);
  const remove = useAction(RemoveUrlsDocument);

  const save = async () => {
    const input = { threshold: threshold === '' ? null : Number(threshold), css: style || null, js: script || null };
    if ((await update.act({ groupId: row.groupId, urlId: row.urlId, input }, t('saved'))) !== undefined) {
      onClose();
    }
  };
  const drop = async () => {
    if ((await remove.act({ groupId: row.groupId, urls: [row.urlId] }, t('removed'))) !== undefined) {
      onRemoved();
      onClose();
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={t('threshold')}
        hint={t('thresholdAbout', { percent: groupThreshold })}
        type="number"
        min={0}
        max={100}
        step="any"
        value={threshold}
        onChange={(event) => setThreshold(event.target.value)}
        problem={update.problems['threshold']}
        disabled={!editable}
      />
      <TextArea
        label={t('css')}
        hint={t('cssAbout')}
        className={css.code}
        value={style}
        onChange={(event) => setStyle(event.target.value)}
        problem={update.problems['css']}
        disabled={!editable}
        spellCheck={false}
      />
      <TextArea
        label={t('js')}
        hint={t('jsAbout')}
        className={css.code}
        value={script}
        onChange={(event) => setScript(event.target.value)}
        problem={update.problems['js']}
        disabled={!editable}
        spellCheck={false}
      />
      {editable && (
        <div className={css.buttons}>
          <Button type="submit" look="primary" busy={update.busy}>
            {t('save')}
          </Button>
          <Button look="danger" busy={remove.busy} onClick={() => void drop()}>
            {t('remove')}
          </Button>
        </div>
      )}
    </form>
  );
}

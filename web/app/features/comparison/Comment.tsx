import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button, IconButton } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { useAction } from '../../shell/action';
import { When } from '../../shell/When';
import { Who } from '../../shell/Who';
import { useMay, useOwnId } from '../../shell/viewer';
import css from './Comments.module.css';
import { DeleteComment, EditComment, type ShownComment } from './query';

/** How long a comment may be, in characters, as the API allows. */
export const longest = 10_000;

interface Props {
  comment: ShownComment;
  refresh: () => void;
}

/** What somebody said; who wrote it may change it, and whoever reviews may delete it. */
export function Comment({ comment, refresh }: Props) {
  const t = useTranslations('comparison');
  const mayReview = useMay('REVIEW');
  const own = useOwnId();
  const mine = own !== null && own === comment.author.id;
  const [editing, setEditing] = useState(false);
  return (
    <li className={css.comment}>
      <p className={css.who}>
        <strong>
          <Who person={comment.author} />
        </strong>
        <When time={comment.createdAt} />
        {comment.editedAt !== null && <span>{t('edited')}</span>}
        {mayReview && !editing && (
          <span className={css.tools}>
            {mine && <IconButton label={t('editComment')} icon={<Pencil aria-hidden="true" />} onClick={() => setEditing(true)} />}
            <Deletion comment={comment} refresh={refresh} />
          </span>
        )}
      </p>
      {editing ? (
        <Editor comment={comment} refresh={refresh} onClose={() => setEditing(false)} />
      ) : (
        <p className={css.text} dir="auto">
          {comment.text}
        </p>
      )}
    </li>
  );
}

function Editor({ comment, refresh, onClose }: Props & { onClose: () => void }) {
  const t = useTranslations('comparison');
  const [text, setText] = useState(comment.text);
  const { act, busy } = useAction(EditComment);
  const save = async () => {
    if ((await act({ id: comment.id, text: text.trim() })) !== undefined) {
      refresh();
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
      <textarea
        className={css.input}
        rows={3}
        maxLength={longest}
        value={text}
        aria-label={t('editComment')}
        autoFocus
        onChange={(event) => setText(event.target.value)}
      />
      <div className={css.tools}>
        <Button type="submit" size="small" busy={busy} disabled={text.trim() === ''}>
          {t('save')}
        </Button>
        <Button size="small" look="quiet" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  );
}

function Deletion({ comment, refresh }: Props) {
  const t = useTranslations('comparison');
  const [asking, setAsking] = useState(false);
  const { act, busy } = useAction(DeleteComment);
  const drop = async () => {
    setAsking(false);
    if ((await act({ id: comment.id }, t('commentDeleted'))) !== undefined) {
      refresh();
    }
  };
  return (
    <>
      <IconButton label={t('deleteComment')} icon={<Trash2 aria-hidden="true" />} onClick={() => setAsking(true)} />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('deleteCommentTitle')}
        about={t('deleteCommentAbout')}
        confirm={t('deleteComment')}
        cancel={t('cancel')}
        busy={busy}
        onConfirm={() => void drop()}
      />
    </>
  );
}

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMutation } from 'urql';

import { Button } from '../../../ui/Button';
import { tell } from '../../../ui/Toasts';
import { explain } from '../../api/problem';
import { useMay } from '../../shell/viewer';
import { Comment, longest } from './Comment';
import css from './Comments.module.css';
import { AddComment, type ShownComparison } from './query';

/** The id of the field that a comment is written in. */
export const commentField = 'comment';

/** What people said about a comparison, and a place to say something. */
export function Comments({ comparison, refresh }: { comparison: ShownComparison; refresh: () => void }) {
  const t = useTranslations('comparison');
  const mayReview = useMay('REVIEW');
  const [text, setText] = useState('');
  const [state, add] = useMutation(AddComment);
  const send = async () => {
    const { error } = await add({ id: comparison.id, text: text.trim() });
    if (error !== undefined) {
      tell({ title: t('notCommented'), description: explain(error), tone: 'problem' });
      return;
    }
    setText('');
    refresh();
  };
  return (
    <section className={css.comments}>
      <h3>{t('comments')}</h3>
      <ul className={css.list}>
        {comparison.comments.map((comment) => (
          <Comment key={comment.id} comment={comment} refresh={refresh} />
        ))}
      </ul>
      {mayReview && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <textarea
            id={commentField}
            className={css.input}
            rows={2}
            maxLength={longest}
            value={text}
            aria-label={t('comment')}
            placeholder={t('comment')}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" size="small" busy={state.fetching} disabled={text.trim() === ''}>
            {t('send')}
          </Button>
        </form>
      )}
    </section>
  );
}

import { useState } from 'react';

import { Button } from '../ui/Button';
import { send } from './actions';
import type { Comment } from './data';
import type { useGuest } from './useGuest';
import { language, words } from './language';

const longest = 10_000; // characters, as the service allows

const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

interface Props {
  address: string;
  comments: readonly Comment[];
  guest: ReturnType<typeof useGuest>;
  onAdded: (comment: Comment) => void;
}

/** What was said about a comparison, and a place to say something. */
export function Comments({ address, comments, guest, onAdded }: Props) {
  const [text, setText] = useState('');
  const add = () =>
    guest.act(async (name) => {
      onAdded(await send<Comment>(address, { name, text }));
      setText('');
    });
  return (
    <aside className="talk" aria-label={words.comments}>
      {comments.length === 0 && <p className="quiet">{words.nobodySaid}</p>}
      <ul>
        {comments.map((comment) => (
          <li key={comment.at + comment.text}>
            <p className="quiet">
              <strong dir="auto">{comment.author}</strong>
              {comment.guest && ` (${words.guest})`} · <time dateTime={comment.at}>{when.format(new Date(comment.at))}</time>
            </p>
            <p className="said" dir="auto">
              {comment.text}
            </p>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <textarea
          rows={3}
          maxLength={longest}
          value={text}
          aria-label={words.yourComment}
          placeholder={words.yourComment}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="buttons">
          <Button type="submit" size="small" look="primary" busy={guest.busy} disabled={text.trim() === ''}>
            {words.comment}
          </Button>
          {guest.name !== '' && (
            <Button size="small" look="quiet" onClick={guest.rename}>
              {words.changeName}
            </Button>
          )}
        </div>
        {guest.name !== '' && (
          <p className="quiet said">
            {words.commentAs[0]}
            <bdi>{guest.name}</bdi>
            {words.commentAs[1]}
          </p>
        )}
      </form>
    </aside>
  );
}

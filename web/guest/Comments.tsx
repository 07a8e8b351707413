import { useState } from 'react';

import { Button } from '../ui/Button';
import { send } from './actions';
import type { Comment } from './data';
import type { useGuest } from './useGuest';

const longest = 10_000; // characters, as the service allows

const when = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

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
    <aside className="talk" aria-label="Comments">
      {comments.length === 0 && <p className="quiet">Nobody has said anything yet.</p>}
      <ul>
        {comments.map((comment) => (
          <li key={comment.at + comment.text}>
            <p className="quiet">
              <strong dir="auto">{comment.author}</strong>
              {comment.guest && ' (guest, name not verified)'} · <time dateTime={comment.at}>{when.format(new Date(comment.at))}</time>
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
          aria-label="Your comment"
          placeholder="Your comment"
          onChange={(event) => setText(event.target.value)}
        />
        <div className="buttons">
          <Button type="submit" size="small" look="primary" busy={guest.busy} disabled={text.trim() === ''}>
            Comment
          </Button>
          {guest.name !== '' && (
            <Button size="small" look="quiet" onClick={guest.rename}>
              Change name
            </Button>
          )}
        </div>
        {guest.name !== '' && (
          <p className="quiet said">
            You comment as <bdi>{guest.name}</bdi>.
          </p>
        )}
      </form>
    </aside>
  );
}

import { ChevronLeft, ChevronRight, List } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

import css from './ChangeList.module.css';
import { type ViewerMessages, keyCaps, keyNames } from './messages';
import type { PlacedChange } from './order';
import type { Change, Note, Verdict } from './types';

interface ChangeListProps {
  readonly notes: readonly Note[];
  readonly all: readonly PlacedChange[];
  readonly listed: readonly PlacedChange[];
  readonly selected: string | null;
  readonly filter: Verdict | null;
  readonly open: boolean;
  readonly messages: ViewerMessages;
  readonly onFilter: (filter: Verdict | null) => void;
  readonly onSelect: (id: string) => void;
  readonly onNext: () => void;
  readonly onPrevious: () => void;
  readonly onOpen: (open: boolean) => void;
  readonly renderActions?: ((change: Change) => ReactNode) | undefined;
}

/** The changes in words, beside the pictures; on a phone, below them and folded up to the one that is selected. */
export function ChangeList(props: ChangeListProps) {
  const { notes, all, listed, selected, open, messages, onNext, onPrevious, onOpen } = props;
  const at = listed.findIndex((change) => change.id === selected);
  return (
    <aside className={css.panel} data-open={open || undefined} aria-label={messages.changes(all.length)}>
      <header className={css.head}>
        <h2 className={css.count}>{at < 0 ? messages.changes(listed.length) : messages.position(at + 1, listed.length)}</h2>
        <button
          type="button"
          className={css.fold}
          aria-expanded={open}
          onClick={() => onOpen(!open)}
          title={open ? messages.hideList : messages.showList}
        >
          <List aria-hidden="true" />
          <span className={css.hidden}>{open ? messages.hideList : messages.showList}</span>
        </button>
        <button
          type="button"
          className={css.step}
          onClick={onPrevious}
          disabled={listed.length === 0}
          title={`${messages.previous} (P)`}
          aria-label={messages.previous}
        >
          <ChevronLeft aria-hidden="true" />
        </button>
        <button
          type="button"
          className={css.step}
          onClick={onNext}
          disabled={listed.length === 0}
          title={`${messages.next} (N)`}
          aria-label={messages.next}
        >
          <ChevronRight aria-hidden="true" />
        </button>
      </header>
      <Filter {...props} />
      <div className={css.scroll}>
        {notes.map((note) => (
          <p key={note.text} className={css.note} data-tone={note.tone}>
            {note.text}
          </p>
        ))}
        {listed.length === 0 && <p className={css.empty}>{all.length === 0 ? messages.noChanges : messages.noneShown}</p>}
        <ol className={css.list}>
          {listed.map((change) => (
            <Item key={change.id} {...props} change={change} current={change.id === selected} />
          ))}
        </ol>
        <Keys messages={messages} />
      </div>
    </aside>
  );
}

function Item({ change, current, messages, onSelect, renderActions }: ChangeListProps & { change: PlacedChange; current: boolean }) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) {
      item.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [current]);
  return (
    <li ref={item} className={css.item} data-verdict={change.verdict ?? 'none'} data-current={current || undefined}>
      <button type="button" className={css.change} aria-current={current || undefined} onClick={() => onSelect(change.id)}>
        <span className={css.number} aria-hidden="true">
          {change.number}
        </span>
        <span className={css.words}>
          {change.verdict && <span className={css.verdict}>{messages.verdicts[change.verdict]}</span>}
          <span className={css.title} dir="auto">
            {change.title}
          </span>
          {change.reason && (
            <span className={css.reason} dir="auto">
              {change.reason}
            </span>
          )}
        </span>
      </button>
      {current && renderActions && <div className={css.actions}>{renderActions(change)}</div>}
    </li>
  );
}

/** Buttons that show the changes of one verdict; there are none where all changes have the same. */
function Filter({ all, filter, messages, onFilter }: ChangeListProps) {
  const verdicts = (['alert', 'unsure', 'good'] as const).filter((verdict) => all.some((change) => change.verdict === verdict));
  if (verdicts.length === 0 || (verdicts.length === 1 && all.every((change) => change.verdict === verdicts[0]))) {
    return null;
  }
  return (
    <div className={css.filter} role="group" aria-label={messages.filter}>
      {[null, ...verdicts].map((verdict) => (
        <button
          key={verdict}
          type="button"
          className={css.chip}
          data-verdict={verdict ?? 'all'}
          aria-pressed={filter === verdict}
          onClick={() => onFilter(verdict)}
        >
          {verdict === null ? messages.all : messages.verdicts[verdict]}{' '}
          <span className={css.tally}>{verdict === null ? all.length : all.filter((change) => change.verdict === verdict).length}</span>
        </button>
      ))}
    </div>
  );
}

function Keys({ messages }: { messages: ViewerMessages }) {
  return (
    <details className={css.keys}>
      <summary>{messages.keys}</summary>
      <dl>
        {keyNames.map((name) => (
          <div key={name}>
            <dt>
              <kbd>{keyCaps[name]}</kbd>
            </dt>
            <dd>{messages.keyHelp[name]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

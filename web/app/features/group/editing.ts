import { useTranslations } from 'use-intl';

import { tell } from '../../../ui/Toasts';
import type { GroupUrlInput, SelectionFilter, UrlRemoval, UrlsEdit } from '../../api/generated/graphql';
import { useAction } from '../../shell/action';
import { AddUrlsDocument, EditUrlsDocument } from './query';

/** Something that is done with many URLs at once. */
export type Edit =
  | { kind: 'device'; device: 'desktop' | 'mobile'; on: boolean }
  | { kind: 'tag'; what: 'add' | 'remove'; tag: string }
  | { kind: 'remove'; how: UrlRemoval };

function inputOf(edit: Edit): UrlsEdit {
  switch (edit.kind) {
    case 'device':
      return { [edit.device]: edit.on };
    case 'tag':
      return edit.what === 'add' ? { addTags: [edit.tag] } : { removeTags: [edit.tag] };
    case 'remove':
      return { remove: edit.how };
  }
}

/** What takes it back, done with those that it changed. */
function reverse(edit: Exclude<Edit, { kind: 'remove' }>): Edit {
  return edit.kind === 'device' ? { ...edit, on: !edit.on } : { ...edit, what: edit.what === 'add' ? 'remove' : 'add' };
}

interface Editing {
  /** Does it with all that match, of which there may be so many; false if it was refused. */
  edit: (filter: SelectionFilter, edit: Edit, count: number) => Promise<boolean>;
  busy: boolean;
  problem: string | undefined;
}

// What puts back removed URLs is a request of some 80 bytes a URL; the server takes a mebibyte.
const longest = 1_000_000;

/** Edits many URLs of a group, and offers to take it back. */
export function useEditing(groupId: string, onEdited: () => void): Editing {
  const t = useTranslations('group.bulk');
  const edits = useAction(EditUrlsDocument);
  const adding = useAction(AddUrlsDocument);

  const putBack = async (urls: GroupUrlInput[]) => {
    if ((await adding.act({ groupId, urls }, t('undone'))) !== undefined) {
      onEdited();
    }
  };
  const takeBack = async (edit: Exclude<Edit, { kind: 'remove' }>, urlIds: string[]) => {
    const data = await edits.act({ groupId, filter: { urlIds }, edit: inputOf(reverse(edit)), limit: urlIds.length }, t('undone'));
    if (data !== undefined) {
      onEdited();
    }
  };
  const edit = async (filter: SelectionFilter, what: Edit, count: number) => {
    const data = await edits.act({ groupId, filter, edit: inputOf(what), limit: Math.max(1, count) });
    if (data === undefined) {
      return false;
    }
    const { changedIds, removed } = data.editUrlsOfGroup;
    const urls = removed?.map(({ id, desktop, mobile, css, js, threshold }) => ({ id, desktop, mobile, css, js, threshold }));
    const undo =
      what.kind !== 'remove'
        ? () => void takeBack(what, changedIds)
        : urls !== undefined && what.how === 'FROM_GROUP' && JSON.stringify(urls).length < longest
          ? () => void putBack(urls)
          : undefined;
    tell({
      title: t(`done.${what.kind === 'remove' ? what.how : what.kind}`, { count: changedIds.length }),
      ...(undo !== undefined && changedIds.length > 0 && { action: { label: t('undo'), run: undo } }),
    });
    onEdited();
    return true;
  };
  return { edit, busy: edits.busy || adding.busy, problem: Object.values(edits.problems)[0] };
}

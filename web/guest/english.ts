import { english as viewer } from '../viewer';
import type { GuestWords } from './words';

const pages = (count: number) => (count === 1 ? '1 page' : `${count} pages`);

export const english: GuestWords = {
  viewer,
  status: { new: 'New', ok: 'OK', false_positive: 'False positive', to_fix: 'To fix' },
  approve: 'Approve',
  toFix: 'To be fixed',
  undo: 'Undo',
  decision: 'Your decision',
  comments: 'Comments',
  decidedSince: 'Somebody has decided about this page since. Reload it to see how it stands.',
  nobodySaid: 'Nobody has said anything yet.',
  guest: 'guest, name not verified',
  yourComment: 'Your comment',
  comment: 'Comment',
  changeName: 'Change name',
  commentAs: ['You comment as ', '.'],
  yourName: 'Your name',
  nameAbout: 'It is shown beside what you decide and write, marked as a guest’s. This browser keeps it.',
  cancel: 'Cancel',
  proceed: 'Continue',
  decidedEverywhere: 'Decided on all pages',
  approvedButOpen: 'Approved. Pages that also show something else stay open.',
  approveEverywhere: 'Approve everywhere',
  approved: (count) => `Approved: ${pages(count)}.`,
  accepted: 'Accepted.',
  stillOpen: (count) =>
    `${pages(count)} ${count === 1 ? 'shows' : 'show'} more than this change, and ${count === 1 ? 'stays' : 'stay'} open.`,
  unreachable: 'The service cannot be reached. Please check your connection and try again.',
  notSaved: 'This could not be saved. Please try again later.',
};

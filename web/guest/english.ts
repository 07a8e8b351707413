import { english as viewer } from '../viewer';
import type { GuestWords } from './words';

const pages = (count: number) => (count === 1 ? '1 page' : `${count} pages`);

export const english: GuestWords = {
  viewer,
  status: { new: 'To review', ok: 'OK', false_positive: 'False positive', to_fix: 'To be fixed' },
  approve: 'Approve',
  toFix: 'To be fixed',
  undo: 'Undo',
  decision: 'Your decision',
  comments: 'Comments',
  decidedSince: 'Someone has reviewed this page in the meantime. Reload it to see its current status.',
  nobodySaid: 'No comments yet.',
  guest: 'guest, name not verified',
  yourComment: 'Your comment',
  comment: 'Comment',
  changeName: 'Change name',
  commentAs: ['You comment as ', '.'],
  yourName: 'Your name',
  nameAbout: 'It is shown with your decisions and comments, marked as a guest’s. This browser remembers it.',
  cancel: 'Cancel',
  proceed: 'Continue',
  decidedEverywhere: 'Reviewed on all pages',
  approvedButOpen: 'Approved. Pages with other changes remain open.',
  approveEverywhere: 'Approve everywhere',
  approved: (count) => `Approved: ${pages(count)}.`,
  accepted: 'Approved.',
  stillOpen: (count) => `${pages(count)} ${count === 1 ? 'has other changes and remains' : 'have other changes and remain'} open.`,
  unreachable: 'The service cannot be reached. Please check your connection and try again.',
  notSaved: 'This could not be saved. Please try again later.',
};

import { german as viewer } from '../viewer';
import type { GuestWords } from './words';

const pages = (count: number) => (count === 1 ? '1 Seite' : `${count} Seiten`);

export const german: GuestWords = {
  viewer,
  status: { new: 'Zu prüfen', ok: 'OK', false_positive: 'Fehlalarm', to_fix: 'Zu beheben' },
  approve: 'Freigeben',
  toFix: 'Zu beheben',
  undo: 'Rückgängig',
  decision: 'Ihre Entscheidung',
  comments: 'Kommentare',
  decidedSince: 'Inzwischen hat jemand diese Seite geprüft. Laden Sie sie neu, um den aktuellen Status zu sehen.',
  nobodySaid: 'Noch keine Kommentare.',
  guest: 'Gast, Name nicht überprüft',
  yourComment: 'Ihr Kommentar',
  comment: 'Kommentieren',
  changeName: 'Namen ändern',
  commentAs: ['Sie kommentieren als ', '.'],
  yourName: 'Ihr Name',
  nameAbout: 'Er wird bei Ihren Entscheidungen und Kommentaren als Name eines Gastes angezeigt. Dieser Browser merkt ihn sich.',
  cancel: 'Abbrechen',
  proceed: 'Weiter',
  decidedEverywhere: 'Auf allen Seiten geprüft',
  approvedButOpen: 'Freigegeben. Seiten mit weiteren Änderungen bleiben offen.',
  approveEverywhere: 'Überall freigeben',
  approved: (count) => `Freigegeben: ${pages(count)}.`,
  accepted: 'Freigegeben.',
  stillOpen: (count) =>
    `${pages(count)} ${count === 1 ? 'hat weitere Änderungen und bleibt' : 'haben weitere Änderungen und bleiben'} offen.`,
  unreachable: 'Der Dienst ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  notSaved: 'Das konnte nicht gespeichert werden. Bitte versuchen Sie es später erneut.',
};

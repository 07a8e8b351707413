import { german as viewer } from '../viewer';
import type { GuestWords } from './words';

const pages = (count: number) => (count === 1 ? '1 Seite' : `${count} Seiten`);

export const german: GuestWords = {
  viewer,
  status: { new: 'Zu prüfen', ok: 'OK', false_positive: 'Fehlalarm', to_fix: 'Zu beheben' },
  approve: 'Annehmen',
  toFix: 'Zu beheben',
  undo: 'Rückgängig',
  decision: 'Ihre Entscheidung',
  comments: 'Kommentare',
  decidedSince: 'Inzwischen hat jemand über diese Seite entschieden. Laden Sie sie neu, um den Stand zu sehen.',
  nobodySaid: 'Noch hat niemand etwas gesagt.',
  guest: 'Gast, Name nicht überprüft',
  yourComment: 'Ihr Kommentar',
  comment: 'Kommentieren',
  changeName: 'Namen ändern',
  commentAs: ['Sie kommentieren als ', '.'],
  yourName: 'Ihr Name',
  nameAbout: 'Er steht bei allem, was Sie entscheiden und schreiben, als Name eines Gastes. Dieser Browser merkt ihn sich.',
  cancel: 'Abbrechen',
  proceed: 'Weiter',
  decidedEverywhere: 'Auf allen Seiten entschieden',
  approvedButOpen: 'Angenommen. Seiten, die noch etwas anderes zeigen, bleiben offen.',
  approveEverywhere: 'Überall annehmen',
  approved: (count) => `Angenommen: ${pages(count)}.`,
  accepted: 'Angenommen.',
  stillOpen: (count) =>
    `${pages(count)} ${count === 1 ? 'zeigt' : 'zeigen'} mehr als diese Änderung und ${count === 1 ? 'bleibt' : 'bleiben'} offen.`,
  unreachable: 'Der Dienst ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  notSaved: 'Das konnte nicht gespeichert werden. Bitte versuchen Sie es später noch einmal.',
};

import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';

import type { Language, Messages } from './messages';

export type { Language, Messages };

const languageKey = 'afterimage.language';

/** The language that was chosen, else the browser's first that we know, else English. */
export function preferredLanguage(): Language {
  const chosen = window.localStorage.getItem(languageKey);
  const wanted = chosen === null ? navigator.languages : [chosen];
  const found = wanted.map((language) => language.slice(0, 2)).find((language) => language === 'en' || language === 'de');
  return found === 'de' ? 'de' : 'en';
}

/** Remembers the language and shows the dashboard in it. */
export function chooseLanguage(language: Language): void {
  window.localStorage.setItem(languageKey, language);
  window.location.reload();
}

/** Only the catalogue of the language in use is loaded. */
export async function loadMessages(language: Language): Promise<Messages> {
  const catalogue = language === 'de' ? await import('./de') : await import('./en');
  return catalogue.default;
}

interface Props {
  language: Language;
  messages: Messages;
  /** IANA name of the zone in which times are shown. */
  timeZone: string;
  children: ReactNode;
}

export function Translations({ language, messages, timeZone, children }: Props) {
  return (
    <IntlProvider locale={language} messages={messages} timeZone={timeZone}>
      {children}
    </IntlProvider>
  );
}

import type en from './en';

/** All texts of the dashboard, as the English catalogue has them. */
export type Messages = typeof en;

export type Language = 'en' | 'de';

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
    Locale: Language;
  }
}

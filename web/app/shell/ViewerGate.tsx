import { useEffect, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';

import { Problem } from '../../ui/States';
import { codeOf, explain } from '../api/problem';
import { useRefreshable } from '../api/refreshable';
import { goToSignIn, sessionEnded } from '../api/session';
import { useStore } from '../api/store';
import { Translations, type Language, type Messages } from '../i18n';
import { ViewerContext, ViewerDocument } from './viewer';

interface Props {
  language: Language;
  messages: Messages;
  children: ReactNode;
}

/** Asks once who uses the dashboard; the screens need the account's time zone and the viewer's permissions. */
export function ViewerGate({ language, messages, children }: Props) {
  const { data, error, refresh } = useRefreshable({ query: ViewerDocument, requestPolicy: 'cache-first' });
  const ended = useStore(sessionEnded);
  // The session may end between the document and its first question: then there is nothing to show but the way back.
  const leave = error !== undefined && data === undefined && (ended || codeOf(error) === 'UNAUTHENTICATED');
  useEffect(() => {
    if (leave) {
      goToSignIn();
    }
  }, [leave]);
  const zone = data?.viewer.account.timezone ?? 'UTC';
  return (
    <Translations language={language} messages={messages} timeZone={zone}>
      {!data ? (
        error !== undefined && !leave && <NoViewer message={explain(error)} retry={refresh} />
      ) : (
        <ViewerContext value={data.viewer}>{children}</ViewerContext>
      )}
    </Translations>
  );
}

function NoViewer({ message, retry }: { message: string; retry: () => void }) {
  const t = useTranslations('problems');
  return <Problem title={t('notLoaded')} message={message} retry={{ label: t('retry'), run: retry }} />;
}

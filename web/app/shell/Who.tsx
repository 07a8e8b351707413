import { useTranslations } from 'use-intl';

import type { PersonKind } from '../api/generated/graphql';

/** The name of somebody who did something. That of a guest is what they said, and is marked as such. */
export function Who({ person }: { person: { kind: PersonKind; name: string } }) {
  const t = useTranslations('shell');
  return (
    <>
      <bdi>{person.name}</bdi>
      {person.kind === 'GUEST' && ` ${t('guest')}`}
    </>
  );
}

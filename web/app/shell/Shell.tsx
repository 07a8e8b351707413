import { Link, Outlet } from '@tanstack/react-router';
import { CircleHelp, Globe, GraduationCap, House, Layers, Settings as SettingsIcon } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from 'urql';

import { IconButton } from '../../ui/Button';
import { Toasts } from '../../ui/Toasts';
import { followAccount, liveMessage } from '../api/live';
import { useStore } from '../api/store';
import { ConnectionNote } from './ConnectionNote';
import { SessionEnded } from './SessionEnded';
import css from './Shell.module.css';
import { Shortcuts } from './Shortcuts';
import { useGoKeys } from './keys';
import { useViewer } from './viewer';

/** What surrounds every screen: the ways to go, and what concerns all of them. */
export function Shell() {
  const t = useTranslations('shell');
  const [helping, setHelping] = useState(false);
  const client = useClient();
  useEffect(() => followAccount(client), [client]);
  useGoKeys(() => setHelping(true));
  return (
    <Toasts dismiss={t('dismiss')}>
      <a className={css.skip} href="#content">
        {t('skip')}
      </a>
      <div className={css.shell}>
        <Ways onHelp={() => setHelping(true)} />
        <main className={css.content} id="content" tabIndex={-1}>
          <ConnectionNote />
          <Outlet />
        </main>
      </div>
      <SessionEnded />
      <Shortcuts open={helping} onOpenChange={setHelping} />
    </Toasts>
  );
}

function Ways({ onHelp }: { onHelp: () => void }) {
  const t = useTranslations('shell');
  const { account, user } = useViewer();
  const who = account.email || account.nameFirst;
  const open = useStore(liveMessage)?.openAlarms ?? 0;
  return (
    <nav className={css.nav} aria-label={t('ways')}>
      <Link to="/" className={css.brand}>
        <Mark />
        <span>Afterimage</span>
      </Link>
      <ul className={css.ways}>
        <Way to="/" icon={<House aria-hidden="true" />} label={t('home')} count={open} />
        <Way to="/runs" icon={<Layers aria-hidden="true" />} label={t('runs')} />
        <Way to="/sites" icon={<Globe aria-hidden="true" />} label={t('sites')} />
        <Way to="/rules" icon={<GraduationCap aria-hidden="true" />} label={t('teach')} />
        <Way to="/settings" icon={<SettingsIcon aria-hidden="true" />} label={t('manage')} />
      </ul>
      <div className={css.foot}>
        <span className={css.who} title={user?.email ?? who}>
          {user?.name ?? who}
        </span>
        <IconButton label={t('keys')} icon={<CircleHelp aria-hidden="true" />} onClick={onHelp} />
      </div>
    </nav>
  );
}

function Way({
  to,
  icon,
  label,
  count = 0,
}: {
  to: '/' | '/runs' | '/sites' | '/rules' | '/settings';
  icon: ReactNode;
  label: string;
  count?: number;
}) {
  const t = useTranslations('shell');
  return (
    <li>
      <Link to={to} className={css.way} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
        {icon}
        <span className={css.label}>{label}</span>
        {count > 0 && (
          <span className={css.count} aria-label={t('openCount', { count })}>
            {count}
          </span>
        )}
      </Link>
    </li>
  );
}

function Mark() {
  return (
    <svg className={css.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect x="3" y="3" width="19" height="19" rx="4" />
      <rect x="10" y="10" width="19" height="19" rx="4" />
      <path d="M10 14a4 4 0 0 1 4-4h8v8a4 4 0 0 1-4 4h-8z" />
    </svg>
  );
}

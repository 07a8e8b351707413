import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, GraduationCap, PanelRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Button, IconButton } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { english, german, Viewer, type ViewerCommands } from '../../../viewer';
import { useLiveRefresh } from '../../api/live';
import { codeOf } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { Missing } from '../../shell/Missing';
import { useKeys } from '../../shell/keys';
import { useMay } from '../../shell/viewer';
import { pageName } from '../../shell/pageName';
import { statusTones } from '../review/PageCard';
import { useJudging, type Verdict } from '../review/judging';
import { TeachDialog } from '../rules/TeachDialog';
import css from './ComparisonScreen.module.css';
import { commentField } from './Comments';
import { Facts } from './Facts';
import { TimeLine } from './TimeLine';
import { Verdicts } from './Verdicts';
import { useNeighbours } from './neighbours';
import { viewed, type Words } from './picture';
import { ComparisonScreenDocument, type ShownComparison } from './query';
import { useUnseen } from './unseen';

const route = getRouteApi('/comparisons/$comparisonId');

/** A page on a device, before and after, with everything that is known about the difference. */
export function ComparisonScreen() {
  const t = useTranslations('comparison');
  const { comparisonId } = route.useParams();
  const { data, error, refresh } = useRefreshable({ query: ComparisonScreenDocument, variables: { id: comparisonId } });
  const batchId = data?.comparison?.batchId;
  useLiveRefresh(['COMPARISON_STATUS_CHANGED', 'COMPARISON_COMMENTED', 'BATCH_DELETED'], refresh, batchId);
  if (error !== undefined && codeOf(error) === 'NOT_FOUND') {
    return <Missing />;
  }
  if (data?.comparison) {
    return <Shown key={comparisonId} comparison={data.comparison} refresh={refresh} />;
  }
  return (
    <Page title={t('title')}>
      <Loaded data={undefined} error={error} retry={refresh} />
    </Page>
  );
}

function Shown({ comparison, refresh }: { comparison: ShownComparison; refresh: () => void }) {
  const t = useTranslations('comparison');
  const teach = useTranslations('rules.teach');
  const device = useTranslations('device');
  const locale = useLocale();
  const navigate = useNavigate();
  const search = route.useSearch();
  const mayReview = useMay('REVIEW');
  const judging = useJudging(comparison.batchId, refresh);
  const viewer = useRef<ViewerCommands>(null);
  const [facts, setFacts] = useState(false);
  const [teaching, setTeaching] = useState<{ regionId: number; change: string } | undefined>(undefined);
  const words = useWords(comparison);
  const data = viewed(comparison, words);
  const [selected, setSelected] = useState<string | null>(
    () => data.changes.find((change) => search.change !== undefined && change.id.startsWith(search.change))?.id ?? null,
  );
  const { previous, next } = useNeighbours(comparison, search);

  useEffect(() => {
    document.title = `${pageName(comparison.address)} · Afterimage`;
  }, [comparison.address]);

  const open = (id: string | undefined) => {
    if (id !== undefined) {
      void navigate({ to: '/comparisons/$comparisonId', params: { comparisonId: id }, search: ({ change: _, ...rest }) => rest });
    }
  };
  const judge = async (verdict: Verdict) => {
    if (mayReview && (await judging.judgeComparisons([comparison.id], verdict))) {
      open(next);
    }
  };
  const reopen = () => {
    if (mayReview) {
      void judging.reopen([comparison.id]);
    }
  };
  const comment = () => {
    setFacts(true);
    requestAnimationFrame(() => document.getElementById(commentField)?.focus());
  };
  const run = (command: keyof ViewerCommands) => () => (viewer.current?.[command] as (() => void) | undefined)?.();
  useKeys({
    a: () => void judge('OK'),
    x: () => void judge('TO_FIX'),
    f: () => void judge('FALSE_POSITIVE'),
    o: reopen,
    u: () => void judging.undo(),
    ']': () => open(next),
    j: () => open(next),
    '[': () => open(previous),
    k: () => open(previous),
    d: () => open(comparison.sibling?.id),
    i: () => setFacts((old) => !old),
    c: comment,
    n: run('next'),
    p: run('previous'),
    l: run('toggleAligned'),
    m: run('toggleMarks'),
    b: run('showOther'),
    '+': run('zoomIn'),
    '=': run('zoomIn'),
    '-': run('zoomOut'),
    '0': run('zoomFit'),
    z: run('zoomFull'),
    1: () => viewer.current?.setMode('sides'),
    2: () => viewer.current?.setMode('slider'),
    3: () => viewer.current?.setMode('overlay'),
    4: () => viewer.current?.setMode('blink'),
    5: () => viewer.current?.setMode('difference'),
    Escape: () =>
      void navigate({
        to: '/runs/$batchId',
        params: { batchId: comparison.batchId },
        search: { view: search.run === undefined ? 'changes' : 'pages' },
      }),
  });
  const devices = comparison.sibling && {
    value: comparison.device,
    options: (['DESKTOP', 'MOBILE'] as const).map((value) => ({ value, label: device(value) })),
    onChange: () => open(comparison.sibling?.id),
  };
  return (
    <div className={css.screen}>
      <header className={css.header}>
        <div className={css.words}>
          <Link to="/runs/$batchId" params={{ batchId: comparison.batchId }} className={css.run}>
            {comparison.batchName}
          </Link>
          <h1 className={css.address}>
            <bdi>{pageName(comparison.address)}</bdi>
            <StatusBadge comparison={comparison} />
          </h1>
        </div>
        <nav className={css.ways} aria-label={t('ways')}>
          <IconButton
            label={t('previousPage')}
            icon={<ChevronLeft aria-hidden="true" />}
            disabled={previous === undefined}
            onClick={() => open(previous)}
          />
          <IconButton
            label={t('nextPage')}
            icon={<ChevronRight aria-hidden="true" />}
            disabled={next === undefined}
            onClick={() => open(next)}
          />
          <IconButton label={t('facts')} icon={<PanelRight aria-hidden="true" />} aria-pressed={facts} onClick={() => setFacts(!facts)} />
        </nav>
        {mayReview && <Verdicts status={comparison.status} onJudge={(verdict) => void judge(verdict)} onReopen={reopen} />}
      </header>
      <TimeLine comparison={comparison} onOpen={open} />
      <div className={css.body}>
        <div className={css.viewer}>
          <Viewer
            ref={viewer}
            comparison={data}
            messages={locale === 'de' ? german : english}
            device={devices ?? undefined}
            keys="off"
            selected={selected}
            onSelect={setSelected}
            renderActions={(change) => {
              const regionId = regionOf(
                comparison,
                data.changes.findIndex((each) => each.id === change.id),
              );
              return mayReview && regionId !== undefined ? (
                <Button
                  size="small"
                  icon={<GraduationCap aria-hidden="true" />}
                  onClick={() => setTeaching({ regionId, change: change.title })}
                >
                  {teach('open')}
                </Button>
              ) : null;
            }}
          />
        </div>
        {teaching !== undefined && (
          <TeachDialog comparisonId={comparison.id} groupId={comparison.groupId} {...teaching} onClose={() => setTeaching(undefined)} />
        )}
        {facts && <Facts comparison={comparison} refresh={refresh} onClose={() => setFacts(false)} />}
      </div>
    </div>
  );
}

/** The changed region that a rule would be made from; a change that is too small for a region has none. */
function regionOf(comparison: ShownComparison, index: number): number | undefined {
  return comparison.findings === null ? comparison.changedRegions[index]?.id : comparison.findings[index]?.regionIds[0];
}

function StatusBadge({ comparison }: { comparison: ShownComparison }) {
  const status = useTranslations('status');
  const t = useTranslations('review');
  const unchanged = comparison.status === 'OK' && !comparison.aboveThreshold;
  return (
    <Badge tone={unchanged ? 'neutral' : statusTones[comparison.status]}>{unchanged ? t('unchanged') : status(comparison.status)}</Badge>
  );
}

/** What is said about the comparison as a whole, in the language of the dashboard. */
function useWords(comparison: ShownComparison): Words {
  const t = useTranslations('comparison');
  const format = useFormatter();
  const unseen = useUnseen(comparison);
  const taken = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium', timeStyle: 'short' });
  const notes: { tone: 'alert' | 'plain'; text: string }[] = [];
  if (comparison.alarmReason !== null) {
    notes.push({ tone: 'alert', text: comparison.alarmReason });
  }
  if (comparison.truncated) {
    notes.push({ tone: 'alert', text: t('truncated') });
  }
  if (unseen !== '') {
    notes.push({ tone: 'alert', text: unseen });
  }
  if ((comparison.unlistedFindings ?? 0) > 0) {
    notes.push({ tone: 'alert', text: t('unlisted', { count: comparison.unlistedFindings ?? 0 }) });
  }
  if (comparison.acrossVersions) {
    notes.push({ tone: 'plain', text: t('acrossVersions') });
  }
  if (comparison.aiVerificationResult !== null) {
    notes.push({ tone: 'plain', text: comparison.aiVerificationResult.summary });
  }
  return {
    region: (number) => t('region', { number }),
    takenBefore: taken(comparison.beforeCreatedAt),
    takenAfter: taken(comparison.afterCreatedAt),
    notes,
  };
}

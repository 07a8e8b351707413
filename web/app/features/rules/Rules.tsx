import { Link } from '@tanstack/react-router';
import { GraduationCap, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { IconButton } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Switch } from '../../../ui/Switch';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { When } from '../../shell/When';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { pageName } from '../../shell/pageName';
import css from './Rules.module.css';
import { DeleteRule, RulesDocument, UpdateRule, type Rule, type RuleProblem } from './query';

/** What verification was taught to ignore: how often each rule matched, and which ones somebody should look at. */
export function Rules() {
  const t = useTranslations('rules');
  const { data, error, refresh } = useRefreshable({ query: RulesDocument });
  useLiveRefresh(['AI_FEEDBACK_RULE_CREATED', 'AI_FEEDBACK_RULE_UPDATED', 'AI_FEEDBACK_RULE_DELETED'], refresh);
  return (
    <Page title={t('title')} about={t('about')}>
      <Loaded data={data} error={error} retry={refresh}>
        {({ aiFeedbackRules, aiFeedbackRuleProblems }) =>
          aiFeedbackRules.nodes.length === 0 ? (
            <Panel>
              <Empty icon={<GraduationCap aria-hidden="true" />} title={t('none')}>
                {t('noneAbout')}
              </Empty>
            </Panel>
          ) : (
            <Panel title={t('count', { count: aiFeedbackRules.totalCount })} flush>
              <ul>
                {aiFeedbackRules.nodes.map((rule) => (
                  <li key={rule.id} className={css.rule}>
                    <Line
                      rule={rule}
                      problems={aiFeedbackRuleProblems.filter((problem) => problem.aiFeedbackRule.id === rule.id)}
                      refresh={refresh}
                    />
                  </li>
                ))}
              </ul>
            </Panel>
          )
        }
      </Loaded>
    </Page>
  );
}

interface LineProps {
  rule: Rule;
  problems: readonly RuleProblem[];
  refresh: () => void;
}

function Line({ rule, problems, refresh }: LineProps) {
  const t = useTranslations('rules');
  const device = useTranslations('device');
  const mayReview = useMay('REVIEW');
  const [deleting, setDeleting] = useState(false);
  const update = useAction(UpdateRule);
  const remove = useAction(DeleteRule);
  const removeNow = async () => {
    if ((await remove.act({ id: rule.id }, t('deleted'))) !== undefined) {
      setDeleting(false);
      refresh();
    }
  };
  const where = { URL: pageName(rule.context.pageUrl), GROUP: rule.groupName, WEBSITE: rule.websiteName ?? rule.groupName }[rule.scope];
  return (
    <>
      <Switch
        label={t('active')}
        checked={rule.isActive}
        disabled={!mayReview || update.busy}
        onChange={(isActive) => void update.act({ id: rule.id, input: { isActive } })}
      />
      <div className={css.words}>
        <p className={css.description}>
          <bdi>{rule.description}</bdi>
        </p>
        <p className={css.where}>
          {t(`scopes.${rule.scope}`)} <bdi>{where}</bdi> · {device(rule.device)}
          {rule.comparisonId !== null && (
            <>
              {' · '}
              <Link to="/comparisons/$comparisonId" params={{ comparisonId: rule.comparisonId }}>
                {t('origin')}
              </Link>
            </>
          )}
        </p>
        {problems.map((problem) => (
          <p key={problem.kind} className={css.problem}>
            <Badge tone="unsure">{t(`problems.${problem.kind}`)}</Badge> {problem.reason}
          </p>
        ))}
      </div>
      <span className={css.matches}>
        {t('matches', { count: rule.matchCount })}
        {rule.lastMatchedAt !== null && (
          <span className={css.last}>{t.rich('last', { when: () => <When time={rule.lastMatchedAt ?? ''} /> })}</span>
        )}
      </span>
      {mayReview && <IconButton label={t('delete')} icon={<Trash2 aria-hidden="true" />} onClick={() => setDeleting(true)} />}
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('deleteTitle')}
        about={t('deleteAbout')}
        confirm={t('delete')}
        cancel={t('cancel')}
        busy={remove.busy}
        onConfirm={() => void removeNow()}
      />
    </>
  );
}

import { useTranslations } from 'use-intl';

import type { Tone } from '../../../ui/Badge';
import type { FlowStepStatus, FlowStepType, QueueStatus } from '../../api/generated/graphql';
import { assertionKinds, operatorsOf } from './draft';
import { parseSelector, type Target } from './selector';

export const runTones: Record<QueueStatus, Tone> = { OPEN: 'neutral', PROCESSING: 'accent', DONE: 'good', FAILED: 'alert' };
export const stepTones: Record<FlowStepStatus, Tone> = { PASSED: 'good', FAILED: 'alert', SKIPPED: 'neutral' };

interface Told {
  type: FlowStepType;
  label: string | null;
  selector: string | null;
  value: string | null;
  sensitive: boolean;
  assertion: { kind: string; operator: string; expected: string } | null;
}

/** By what an element is found, in words. */
export function useTargetWords(): (target: Target) => string {
  const t = useTranslations('flows');
  return ({ way, role, words }) => {
    if (way === 'role') {
      return words === '' ? role : t('by.role', { role, words });
    }
    return way === 'css' ? words : t(`by.${way}`, { words });
  };
}

/** What a step acts on and with what, in words; its type says what it does. */
export function useStepWords(): (step: Told) => string {
  const t = useTranslations('flows');
  const nameOf = useTargetWords();
  const holds = ({ kind, operator, expected }: NonNullable<Told['assertion']>) => {
    const known = assertionKinds.find((each) => each === kind) ?? 'text';
    if (known === 'visible') {
      return t(expected === 'false' ? 'invisible' : 'isVisible');
    }
    const how = operatorsOf[known].find((each) => each === operator) ?? 'equals';
    return `${t(`assertionKinds.${known}`)} ${t(`operators.${how}`)} ${t('quoted', { words: expected })}`;
  };
  return ({ type, label, selector, value, sensitive, assertion }) => {
    const found =
      type === 'HIDE'
        ? (selector ?? '')
        : parseSelector(selector)
            .map(nameOf)
            .join(` ${t('or')} `);
    const given = value === null || type === 'CHECK' || type === 'SCROLL' ? (value ?? '') : t('quoted', { words: value });
    const parts = [
      type === 'CHECKPOINT' ? t('quoted', { words: label ?? '' }) : '',
      found,
      assertion === null ? '' : holds(assertion),
      sensitive ? t('secret') : type === 'CHECK' && value !== 'false' ? '' : type === 'CHECK' ? t('unchecked') : given,
    ];
    return parts.filter((part) => part !== '').join(' · ');
  };
}

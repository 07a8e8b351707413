import type { CreateFlowInput, Device, FlowStepInput, FlowStepType } from '../../api/generated/graphql';
import type { FlowData, FlowStep } from './query';
import { formatSelector, newTarget, parseSelector, type Target } from './selector';

/** The types of steps, in the order in which the editor offers them. */
export const stepTypes = [
  'CLICK',
  'FILL',
  'SELECT',
  'CHECK',
  'PRESS',
  'HOVER',
  'SCROLL',
  'NAVIGATE',
  'WAIT',
  'WAIT_FOR_LOAD',
  'HIDE',
  'ASSERT',
  'CHECKPOINT',
] as const satisfies readonly FlowStepType[];

export const assertionKinds = ['text', 'address', 'value', 'count', 'visible'] as const;
export type AssertionKind = (typeof assertionKinds)[number];

/** How each kind of assertion can be compared. */
export const operatorsOf = {
  text: ['equals', 'contains', 'matches'],
  address: ['equals', 'contains', 'matches'],
  value: ['equals', 'contains', 'matches'],
  count: ['equals', 'at_least', 'at_most'],
  visible: ['equals'],
} as const satisfies Record<AssertionKind, readonly string[]>;
export type Operator = (typeof operatorsOf)[AssertionKind][number];

/** A step as it is being edited. */
export interface StepDraft {
  /** Tells it from others while it is moved. */
  key: number;
  /** Null for a new one. */
  id: string | null;
  type: FlowStepType;
  label: string;
  targets: Target[];
  /** Of HIDE: a CSS selector, which has no alternatives. */
  css: string;
  value: string;
  sensitive: boolean;
  /** Whether it changes something that lasts. */
  changes: boolean;
  /** Whether a secret is stored, which stays if none is typed. */
  stored: boolean;
  assertion: { kind: AssertionKind; operator: Operator; expected: string };
}

/** A flow as it is being edited. */
export interface Draft {
  name: string;
  url: string;
  devices: Device[];
  enabledManual: boolean;
  enabledMonitoring: boolean;
  steps: StepDraft[];
}

let lastKey = 0;

/** A new step of a type. */
export function newStep(type: FlowStepType): StepDraft {
  return {
    key: ++lastKey,
    id: null,
    type,
    label: '',
    targets: needsTarget(type) ? [newTarget] : [],
    css: '',
    value: valueOf(type),
    sensitive: false,
    changes: false,
    stored: false,
    assertion: { kind: 'text', operator: 'contains', expected: '' },
  };
}

function valueOf(type: FlowStepType): string {
  return { CHECK: 'true', SCROLL: 'bottom' }[type as string] ?? '';
}

/** Whether a step of the type cannot do without an element. */
export function needsTarget(type: FlowStepType): boolean {
  return ['CLICK', 'FILL', 'SELECT', 'CHECK', 'HOVER'].includes(type);
}

/** Whether a step of the type does something to the page, and so may change something that lasts. */
export function acts(type: FlowStepType): boolean {
  return ['NAVIGATE', 'PRESS'].includes(type) || needsTarget(type);
}

/** Whether a step can have an element. */
export function takesTarget(step: StepDraft): boolean {
  return (
    needsTarget(step.type) ||
    ['PRESS', 'SCROLL', 'WAIT', 'CHECKPOINT'].includes(step.type) ||
    (step.type === 'ASSERT' && step.assertion.kind !== 'address')
  );
}

/** Whether a step has a text: an address, what is typed, an option or a key. Which of the two it waits for or scrolls to is one choice. */
export function takesValue(step: StepDraft): boolean {
  return (
    ['NAVIGATE', 'FILL', 'SELECT', 'PRESS'].includes(step.type) || (['WAIT', 'SCROLL'].includes(step.type) && step.targets.length === 0)
  );
}

/** A draft of what a flow is now. */
export function draftOf(flow: FlowData): Draft {
  const { name, url, devices, enabledManual, enabledMonitoring, steps } = flow;
  return { name, url, devices: [...devices], enabledManual, enabledMonitoring, steps: steps.map(stepDraft) };
}

function stepDraft(step: FlowStep): StepDraft {
  const kind = assertionKinds.find((each) => each === step.assertion?.kind) ?? 'text';
  return {
    key: ++lastKey,
    id: step.id,
    type: step.type,
    label: step.label ?? '',
    targets: step.type === 'HIDE' ? [] : parseSelector(step.selector),
    css: step.type === 'HIDE' ? (step.selector ?? '') : '',
    value: step.value ?? '',
    sensitive: step.sensitive,
    changes: step.changes,
    stored: step.sensitive && step.valueSet,
    assertion: {
      kind,
      operator: operatorsOf[kind].find((each) => each === step.assertion?.operator) ?? 'equals',
      expected: step.assertion?.expected ?? '',
    },
  };
}

/** A draft of a new flow of a website. */
export function emptyDraft(domain: string): Draft {
  return {
    name: '',
    url: `https://${domain}/`,
    devices: ['DESKTOP'],
    enabledManual: true,
    enabledMonitoring: false,
    steps: [newStep('CLICK'), newStep('CHECKPOINT')],
  };
}

/** What is sent of a draft. */
export function inputOf({ steps, ...draft }: Draft): Omit<CreateFlowInput, 'websiteId'> {
  return { ...draft, steps: steps.map(stepInput) };
}

function stepInput(step: StepDraft): FlowStepInput {
  const { id, type, label, sensitive, changes, assertion } = step;
  return {
    ...(id !== null && { id }),
    type,
    label,
    selector: type === 'HIDE' ? step.css : takesTarget(step) ? formatSelector(step.targets) : null,
    ...(type === 'FILL' && { sensitive }),
    ...(acts(type) && { changes }),
    // A secret that is stored stays as it is unless another one was typed.
    ...((takesValue(step) || type === 'CHECK') && !(sensitive && step.value === '') && { value: step.value }),
    ...(type === 'ASSERT' && { assertion }),
  };
}

/** The steps with one of them moved up or down by one place. */
export function moved(steps: readonly StepDraft[], index: number, by: 1 | -1): StepDraft[] {
  const next = [...steps];
  const [step] = next.splice(index, 1);
  return step === undefined ? next : next.toSpliced(index + by, 0, step);
}

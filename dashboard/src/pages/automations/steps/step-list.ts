import type { AutomationStep, AutomationStepConfig, AutomationTrigger } from '../../../api/generated/types.gen.ts';
import { readyCondition } from '../conditions.ts';

/** A step that is being written. `id` names it for as long as the page is open: its key may change. */
export interface DraftStep {
  id: number;
  step: AutomationStep;
}

export const draftSteps = (steps: readonly AutomationStep[]): DraftStep[] => steps.map((step, id) => ({ id, step }));

const BRANCHES = ['else', 'on_timeout'] as const;

const keysOf = (steps: readonly DraftStep[]): string[] => steps.map(({ step }) => step.key);

/** A key that no step has: `email`, then `email_2`. */
export function freshKey(base: string, steps: readonly DraftStep[]): string {
  const taken = new Set(keysOf(steps));
  let key = base;
  for (let count = 2; taken.has(key); count += 1) key = `${base}_${count}`;
  return key;
}

export function insertStep(steps: readonly DraftStep[], at: number, step: AutomationStep): DraftStep[] {
  const id = Math.max(-1, ...steps.map((one) => one.id)) + 1;
  return [...steps.slice(0, at), { id, step }, ...steps.slice(at)];
}

/** Changes places with the step before or behind it. */
export function moveStep(steps: readonly DraftStep[], from: number, by: -1 | 1): DraftStep[] {
  const next = [...steps];
  const [moved] = next.splice(from, 1);
  if (moved !== undefined) next.splice(from + by, 0, moved);
  return next;
}

/** Takes a step away. Branches that led to it lead to the step behind it, or to the end. */
export function removeStep(steps: readonly DraftStep[], at: number): DraftStep[] {
  const gone = steps[at]?.step.key;
  const follows = steps[at + 1]?.step.key ?? 'end';
  const left = steps.filter((_, index) => index !== at);
  return gone === undefined ? left : left.map((one) => redirect(one, gone, follows));
}

/** A change of one step. When that changes its key, the branches that lead to it change with it. */
export function changeStep(steps: readonly DraftStep[], at: number, step: AutomationStep): DraftStep[] {
  const before = steps[at]?.step.key;
  const isAlone = keysOf(steps).filter((key) => key === before).length === 1;
  return steps.map((one, index) => {
    if (index === at) return { ...one, step };
    return before === undefined || before === step.key || !isAlone ? one : redirect(one, before, step.key);
  });
}

function redirect(one: DraftStep, from: string, to: string): DraftStep {
  const { config } = one.step;
  if (!BRANCHES.some((branch) => config[branch] === from)) return one;
  const led = Object.fromEntries(BRANCHES.flatMap((branch) => (config[branch] === from ? [[branch, to]] : [])));
  return { ...one, step: { ...one.step, config: { ...config, ...led } } };
}

/** Why a branch cannot lead there, before the server is asked. */
export function targetFault(steps: readonly DraftStep[], at: number, target: string | undefined): string | undefined {
  if (target === undefined || target === 'end' || target === 'continue') return undefined;
  const place = steps.findIndex(({ step }) => step.key === target);
  if (place === -1) return `There is no step “${target}”.`;
  return place <= at ? `“${target}” is not a later step: move it down, or choose another.` : undefined;
}

/** The steps as the API takes them: without fields that were left empty. */
export const readySteps = (steps: readonly DraftStep[]): AutomationStep[] =>
  steps.map(({ step }) => ({ ...step, config: readyConfig(step.config) }));

function readyConfig(config: AutomationStepConfig): AutomationStepConfig {
  const given = Object.entries(config).filter(
    ([name, value]) => value !== undefined && (value !== '' || name === 'value'),
  );
  const ready: AutomationStepConfig = Object.fromEntries(given);
  return ready.op === undefined ? ready : readyCondition(ready);
}

export const readyTrigger = (trigger: AutomationTrigger): AutomationTrigger => ({
  ...trigger,
  filter: trigger.filter?.map(readyCondition) ?? null,
});

/** A definition as one text: two that say the same are equal, however they are written. */
export const sayingOf = (trigger: AutomationTrigger, steps: readonly AutomationStep[]): string =>
  JSON.stringify([plain(readyTrigger(trigger)), plain(steps)]);

/** Without empty values, and in the order of names. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, one]) => one !== null && one !== undefined && one !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, plain(one)]);
}

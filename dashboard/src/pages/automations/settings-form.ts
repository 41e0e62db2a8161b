import type { Automation, AutomationEnding, UpdateAutomationRequest } from '../../api/generated/types.gen.ts';
import { readyCondition } from './conditions.ts';

/** The settings while they are written, by the names of the API. */
export interface SettingsValues extends Record<string, unknown> {
  name: string;
  reentry: string;
  correlation: string;
  goal: AutomationEnding | null;
  exit_on: AutomationEnding[];
}

export const AFTER = 'after:';

export const valuesOf = ({ name, reentry, correlation, goal, exit_on: exits }: Automation): SettingsValues => ({
  name,
  reentry,
  correlation: correlation ?? '',
  goal,
  exit_on: [...exits],
});

const ready = ({ filter, ...ending }: AutomationEnding): AutomationEnding => ({
  ...ending,
  filter: filter?.map(readyCondition) ?? null,
});

/** The fields that differ from the saved automation, as the body of a change. */
export function changeOf(values: SettingsValues, saved: Automation): UpdateAutomationRequest {
  const next: Required<Pick<UpdateAutomationRequest, 'name' | 'reentry' | 'correlation' | 'goal' | 'exit_on'>> = {
    name: values.name.trim(),
    reentry: values.reentry,
    correlation: values.correlation.trim() === '' ? null : values.correlation.trim(),
    goal: values.goal === null ? null : ready(values.goal),
    exit_on: values.exit_on.map(ready),
  };
  const { name, reentry, correlation, goal, exit_on } = saved;
  const before = { name, reentry, correlation, goal: goal === null ? null : ready(goal), exit_on: exit_on.map(ready) };
  const changed = Object.entries(next).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof typeof before]), // a key of both
  );
  return Object.fromEntries(changed);
}

/** Of the faults of a form, those of one of its fields by the names inside of it: `goal.type` is `type`. */
export function faultsInside(errors: Readonly<Record<string, unknown>>, field: string): Record<string, string> {
  const inside = Object.entries(errors).filter(([name]) => name.startsWith(`${field}.`));
  return Object.fromEntries(inside.map(([name, error]) => [name.slice(field.length + 1), String(error)]));
}

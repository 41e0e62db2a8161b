import type { Static } from 'typebox';
import type { Condition as ConditionSchema, Step as StepSchema, Trigger as TriggerSchema } from './schemas.ts';

export const AUTOMATIONS_MAX = 200;

export type Condition = Static<typeof ConditionSchema>;
export type Step = Static<typeof StepSchema>;
export type StepConfig = Step['config'];
export type Trigger = Static<typeof TriggerSchema>;

/** One version of an automation, as the API shows it. Every optional field has its value. */
export interface Definition {
  trigger: Trigger;
  /** `once`, `every`, or `after:30 days`. */
  reentry: string;
  /** A path in the payload; null: none. */
  correlation: string | null;
  exit_on: readonly Trigger[];
  goal: Trigger | null;
  steps: readonly Step[];
}

export interface Automation {
  workspaceId: string;
  id: string;
  name: string;
  status: 'enabled' | 'disabled';
  version: number;
  definition: Definition;
  createdAt: Date;
  updatedAt: Date;
}

/** The events that end or wake runs of this version. */
export const listensOf = ({ exit_on: exits, goal, steps }: Definition): string[] => [
  ...new Set([
    ...exits.map(({ type }) => type),
    ...(goal === null ? [] : [goal.type]),
    ...steps.flatMap(({ config: { event } }) => event ?? []),
  ]),
];

/** The templates of its emails, by id. */
export const templatesOf = ({ steps }: Definition): string[] => [
  ...new Set(steps.flatMap(({ config: { template_id: id } }) => id ?? [])),
];

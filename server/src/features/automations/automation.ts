import type { Static } from 'typebox';
import type {
  AskedStep as AskedStepSchema,
  Condition as ConditionSchema,
  Step as StepSchema,
  Trigger as TriggerSchema,
} from './schemas.ts';

/** The moves of a run. Its row changes once; while it is active, its due row says where it is. */
export const RUN_MOVES = {
  active: {
    'it passed its last step, or reached its goal': 'completed',
    'an `end` step, an exit, an unsubscribe or a suppression, or a caller cancelled it': 'exited',
    'a step failed for good, and its `on_error` is `stop`': 'failed',
  },
  completed: {},
  exited: {},
  failed: {},
} as const;

export type RunStatus = keyof typeof RUN_MOVES;
export const RUN_STATUSES = Object.keys(RUN_MOVES) as RunStatus[]; // the keys are exactly the union
export type EndStatus = Exclude<RunStatus, 'active'>;

export const AUTOMATIONS_MAX = 200;

export type Condition = Static<typeof ConditionSchema>;
export type Step = Static<typeof StepSchema>;
/** A step as a request gives it. */
export type AskedStep = Static<typeof AskedStepSchema>;
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

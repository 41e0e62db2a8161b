import { Type } from 'typebox';
import { EVENT_NAME } from '#features/contacts';
import { pageQuery } from '#platform/http/paging.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { RUN_STATUSES } from '../automation.ts';
import { Uuid } from '../schemas.ts';

const Text = Type.String();
const Payload = Type.Record(Type.String(), Type.Unknown(), { examples: [{ order_id: '42' }] });

export const RunParams = Type.Object({ id: Uuid, runId: Uuid });
export const RunsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.Enum([...RUN_STATUSES])),
  email: Type.Optional(Type.String({ minLength: 3, maxLength: 320, description: 'Only of this person.' })),
});

const run = {
  id: Uuid,
  automation_id: Uuid,
  version: Type.Integer(),
  email: Text,
  newsletter_id: nullable(Uuid),
  correlation: nullable(Text),
  status: Type.Enum([...RUN_STATUSES], { title: 'AutomationRunStatus' }),
  reason: nullable(Type.String({ description: 'Why it ended: `goal`, `unsubscribed`, `event:order.paid`, …' })),
  test: Type.Boolean(),
  step: nullable(Type.String({ description: 'While it is active: the step that it is at.' })),
  waits_for: nullable(Type.String({ description: 'The event that it awaits.' })),
  next_at: nullable(Instant),
  held: Type.Boolean({ description: 'It waits until the automation is enabled and the workspace active.' }),
  started_at: Instant,
  ended_at: nullable(Instant),
};
export const RunSummary = Type.Object(run, { title: 'AutomationRunSummary', additionalProperties: false });
export const RunRecord = Type.Object(
  {
    ...run,
    payload: Payload,
    steps: Type.Array(
      Type.Object(
        {
          key: Text,
          type: Text,
          status: Type.Enum(['waiting', 'completed', 'failed', 'skipped']),
          started_at: Instant,
          completed_at: nullable(Instant),
          output: nullable(Payload),
          error: nullable(Text),
        },
        { title: 'AutomationStepRecord', additionalProperties: false },
      ),
    ),
  },
  { title: 'AutomationRun', additionalProperties: false },
);

const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['ada@example.com'] });
export const StartRunBody = Type.Object({ email: Email, payload: Type.Optional(nullable(Payload)) });
export const Started = Type.Object(
  {
    success: Type.Literal(true),
    run_id: nullable(
      Type.String({ format: 'uuid', description: 'null: `reentry` does not let this person in again.' }),
    ),
  },
  { title: 'AutomationRunStarted', additionalProperties: false },
);

export const CancelBody = Type.Object({
  filter: Type.Optional(
    nullable(
      Type.Object(
        {
          status: Type.Optional(Type.Enum(['active'], { description: 'Only active runs can be cancelled.' })),
          email: Type.Optional(Email),
          version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
        },
        { description: 'Left out: all active runs.', additionalProperties: false },
      ),
    ),
  ),
});
export const Cancelled = Type.Object(
  { success: Type.Literal(true), cancelled: Type.Integer() },
  { title: 'AutomationRunsCancelled', additionalProperties: false },
);

export const EventBody = Type.Object({
  name: Type.String({
    pattern: `^${EVENT_NAME}$`,
    'x-says': 'must be 1 to 100 of letters, digits, _, . and -, and begin with a letter or a digit',
    examples: ['order.paid'],
  }),
  email: Type.Optional({ ...Email, description: 'Of the person; or give `contact_id`.' }),
  contact_id: Type.Optional(Type.String({ format: 'uuid', description: 'The person, in place of `email`.' })),
  payload: Type.Optional(nullable(Payload)),
});
export const EventHeard = Type.Object(
  {
    success: Type.Literal(true),
    started: Type.Integer({ description: 'Runs that it started.' }),
    resumed: Type.Integer({ description: 'Runs that were waiting for it.' }),
    ended: Type.Integer({ description: 'Runs that it ended.' }),
  },
  { title: 'EventHeard', additionalProperties: false },
);

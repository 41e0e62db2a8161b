import { Type } from 'typebox';
import { EVENT_NAME } from '#features/contacts';
import { pageQuery } from '#platform/http/paging.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { OPS, OWN_EVENTS, SEGMENT_OPS, STEP_TYPES } from './step-fields.ts';

export const Uuid = Type.String({ format: 'uuid', examples: ['0197f500-1c2d-7abc-8def-0123456789ab'] });
const Text = Type.String();

export const Condition = Type.Object(
  {
    field: Type.String({
      maxLength: 200,
      description:
        '`email`, `payload.…`, `contact.first_name`, `.last_name`, `.name`, `.unsubscribed`, `.properties.…`, or of a ' +
        'newsletter `subscriber.status`, `.name`, `.source`, `.metadata.…`.',
      examples: ['subscriber.status'],
    }),
    op: Type.Enum([...OPS, ...SEGMENT_OPS]),
    value: Type.Optional(
      Type.Unknown({ description: 'Not for `exists`, `not_exists`, `is_true` and `is_false`; a list for `in`.' }),
    ),
  },
  { title: 'AutomationCondition', additionalProperties: false },
);

const eventType = (types: readonly string[], description: string) =>
  Type.String({
    maxLength: 110,
    pattern: `^(${types.join('|')}|event:${EVENT_NAME})$`,
    'x-says': `must be one of ${types.join(', ')}, or event:<name>`,
    description,
    examples: ['event:order.paid'],
  });

const NewsletterId = Type.Optional(
  nullable(Type.String({ format: 'uuid', description: 'Only of this newsletter; null: of every one.' })),
);
const ListId = Type.Optional(
  nullable(Type.String({ format: 'uuid', description: '`list_joined`: only of this list; null: of every one.' })),
);
const Filter = Type.Optional(
  nullable(Type.Array(Condition, { maxItems: 20, description: 'All of them hold for the event.' })),
);

export const Trigger = Type.Object(
  {
    type: eventType(
      [...OWN_EVENTS, 'api'],
      'The event that starts it. `api`: only `POST /v1/automations/:id/runs`. Opens and clicks of machines start nothing.',
    ),
    newsletter_id: NewsletterId,
    list_id: ListId,
    filter: Filter,
  },
  { title: 'AutomationTrigger', additionalProperties: false },
);

const Ending = Type.Object(
  {
    type: eventType(OWN_EVENTS, 'Events of emails count for those that the run has sent.'),
    newsletter_id: NewsletterId,
    list_id: ListId,
    filter: Filter,
  },
  { title: 'AutomationEnding', additionalProperties: false },
);

const Duration = (description: string) =>
  Type.Optional(Type.String({ maxLength: 20, description, examples: ['3 days'] }));
const Target = (description: string) => Type.Optional(Type.String({ maxLength: 64, description, examples: ['end'] }));

const StepConfig = Type.Object(
  {
    template_id: Type.Optional(
      Type.String({ maxLength: 100, description: '`send_email`: id or alias of a template. The id is kept.' }),
    ),
    template_version: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: '`send_email`: a version; null: the one that is published when the step is reached.',
        }),
      ),
    ),
    from: Type.Optional(
      nullable(Type.String({ maxLength: 998, description: "`send_email`: the sender; null: the template's." })),
    ),
    subject: Type.Optional(
      nullable(Type.String({ maxLength: 998, description: "`send_email`: Liquid; null: the template's." })),
    ),
    transactional: Type.Optional(
      Type.Boolean({
        description:
          '`send_email`: false (the default): the run ends before it when the person has unsubscribed, has not confirmed ' +
          'or is suppressed.',
      }),
    ),
    duration: Duration('`delay`: so long.'),
    until_local: Type.Optional(
      Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        'x-says': 'must be a time such as 09:00',
        description: '`delay`: until a clock shows this time.',
        examples: ['09:00'],
      }),
    ),
    timezone: Type.Optional(
      nullable(Type.String({ maxLength: 64, description: '`delay`: whose clock; null: that of the workspace.' })),
    ),
    event: Type.Optional(eventType(OWN_EVENTS, '`wait_for_event`: of the same person and the same correlation.')),
    timeout: Duration('`wait_for_event`: waits at most so long.'),
    on_timeout: Target('`wait_for_event`: `continue` (the default), `end`, or the key of a later step.'),
    field: Type.Optional(Condition.properties.field),
    op: Type.Optional(Condition.properties.op),
    value: Condition.properties.value,
    else: Target('`condition`: `end` (the default) or the key of a later step, when it does not hold.'),
    properties: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: '`update_contact`: only these change; null removes one.',
        examples: [{ plan: 'pro' }],
      }),
    ),
    list_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: '`add_to_list`, `remove_from_list`, `unsubscribe`: a list of contacts.',
      }),
    ),
    newsletter_id: Type.Optional(
      Type.String({ format: 'uuid', description: '`unsubscribe`: a newsletter, in place of `list_id`.' }),
    ),
    url: Type.Optional(
      Type.String({ maxLength: 2_048, description: '`webhook`: gets a POST.', examples: ['https://example.com/hook'] }),
    ),
  },
  {
    title: 'AutomationStepConfig',
    description: 'Every type of step but `end` needs some of them.',
    additionalProperties: false,
  },
);

const stepHead = {
  key: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    'x-says': 'must be 1 to 64 of a-z, 0-9 and _, and begin with a letter',
    description: 'Its name, unique in the automation; not `end` or `continue`.',
    examples: ['welcome'],
  }),
  type: Type.Enum(STEP_TYPES),
  on_error: Type.Optional(
    Type.Enum(['stop', 'continue'], { description: 'When it has failed for good. `stop` ends the run.' }),
  ),
};

export const Step = Type.Object(
  { ...stepHead, config: StepConfig },
  { title: 'AutomationStep', additionalProperties: false },
);

export const AskedStep = Type.Object(
  {
    ...stepHead,
    config: Type.Optional(StepConfig),
  },
  { title: 'AutomationStepRequest', additionalProperties: false },
);

const Name = Type.String({ minLength: 1, maxLength: 200, examples: ['Welcome'] });
const definition = {
  reentry: Type.Optional(
    Type.String({
      maxLength: 30,
      pattern: '^(once|every|after:[1-9][0-9]{0,7} (second|minute|hour|day|week)s?)$',
      'x-says': 'must be once, every, or after:<duration> such as after:30 days',
      description: 'How often a person may take a version, with a correlation once for each of its values.',
      examples: ['once'],
    }),
  ),
  correlation: Type.Optional(
    nullable(
      Type.String({
        maxLength: 200,
        pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}(\\.[A-Za-z_][A-Za-z0-9_-]{0,63}){0,4}$',
        'x-says': 'must be a path in the payload such as order_id',
        description: 'A field of the payload that tells runs of one person apart.',
        examples: ['order_id'],
      }),
    ),
  ),
  exit_on: Type.Optional(Type.Array(Ending, { maxItems: 20, description: 'Events that end a run at any time.' })),
  goal: Type.Optional(nullable(Ending)),
};
const Steps = Type.Array(AskedStep, { minItems: 1, maxItems: 100, description: 'Taken one after another.' });

export const CreateAutomationBody = Type.Object({ name: Name, trigger: Trigger, ...definition, steps: Steps });
export const UpdateAutomationBody = Type.Object({
  name: Type.Optional(Name),
  trigger: Type.Optional(Trigger),
  ...definition,
  steps: Type.Optional(Steps),
});
export const DuplicateAutomationBody = Type.Object({ name: Type.Optional(Name) });

export const AutomationParams = Type.Object({ id: Uuid });
export const AutomationsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.Enum(['enabled', 'disabled'])),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'In the name.' })),
});

const Stats = Type.Object(
  {
    enrolled: Type.Integer(),
    active: Type.Integer(),
    completed: Type.Integer(),
    exited: Type.Integer(),
    failed: Type.Integer(),
  },
  { title: 'AutomationStats', description: 'Runs of all versions, without tests.', additionalProperties: false },
);

export const AutomationRecord = Type.Object(
  {
    id: Uuid,
    name: Text,
    status: Type.Enum(['enabled', 'disabled'], {
      description: '`disabled`: nobody enters, and active runs are held where they are.',
    }),
    version: Type.Integer({ description: 'Grows with every change of the definition. Runs stay on theirs.' }),
    trigger: Trigger,
    reentry: Text,
    correlation: nullable(Text),
    exit_on: Type.Array(Ending),
    goal: nullable(Ending),
    steps: Type.Array(Step),
    webhook_secret: nullable(
      Type.String({
        description: 'Signs the calls of its `webhook` steps, as Standard Webhooks says; null: it has none.',
      }),
    ),
    stats: Stats,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Automation', additionalProperties: false },
);

export const Deleted = Type.Object({ success: Type.Literal(true) }, { title: 'Success', additionalProperties: false });

import { Type } from 'typebox';
import { Queue } from '#features/emails';

const nullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);
const nullableText = Type.Union([Type.String(), Type.Null()]);
const nullableId = Type.Union([Type.String({ format: 'uuid' }), Type.Null()]);

const Fault = Type.Object({
  at: Type.String({ format: 'date-time' }),
  outcome: Type.Enum(['temporary', 'throttled', 'refused', 'unconfirmed']),
  message: Type.String({ description: 'The cause, with the words of the provider.' }),
});

const PausedSend = Type.Object(
  {
    send_id: Type.String({ format: 'uuid' }),
    source: Type.Enum(['issue', 'broadcast']),
    newsletter_id: nullableId,
    issue_id: nullableId,
    broadcast_id: nullableId,
    paused_at: Type.String({ format: 'date-time' }),
    code: nullableText,
    reason: Type.String({ description: 'The cause and the remedy, in a sentence.' }),
    action: Type.Enum(['resume', 'verify_domain', 'raise_domain_limit', 'raise_quota'], {
      description: 'The step that helps. After all but `resume`, the send continues by itself.',
    }),
    resumes_at: nullableTime,
  },
  { title: 'PausedSend' },
);

const stamp = (of: string) => Type.Union([Type.String(), Type.Null()], { description: `Changes with ${of}.` });

export const Overview = Type.Object(
  {
    queue: Queue,
    pace: Type.Object({
      rate: Type.Number({ description: 'Recipients per second at this moment.' }),
      full_rate: Type.Number({
        description: 'The setting, or the rate of the account at the provider if it is lower.',
      }),
      setting: Type.Number({ description: 'POSTHORN_SEND_RATE.' }),
      stretch: Type.Number({ description: '1, or more after the provider throttled: the full rate is divided by it.' }),
    }),
    provider: Type.Object({
      name: Type.Enum(['capture', 'ses', 'smtp']),
      paused_until: nullableTime,
      pause_reason: nullableText,
      last_success_at: nullableTime,
      last_fault: Type.Union([Fault, Type.Null()], { description: 'Of the mail of this workspace.' }),
    }),
    paused_sends: Type.Array(PausedSend, { description: 'The newest 20 sends to many that are paused.' }),
    workers: Type.Object({
      alive: Type.Integer({ description: 'Processes with the role worker, seen within a minute. 0: nothing is sent.' }),
      last_seen_at: nullableTime,
    }),
    last_event_at: nullableTime,
    changes: Type.Object(
      {
        emails: stamp('each new email'),
        events: stamp('each event of an email'),
        counts: stamp('each outcome that is counted'),
      },
      {
        description:
          'Compare each with its value of your last look: if it is another one, read the lists that show it again. ' +
          'This also finds the changes that you missed while the connection was lost.',
      },
    ),
  },
  { title: 'Overview' },
);

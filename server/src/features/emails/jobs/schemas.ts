import { Type } from 'typebox';
import { PAUSE_CODES } from '#features/outbox';
import { EmailStatus } from '../sending/schemas.ts';

const nullableText = Type.Union([Type.String(), Type.Null()]);
const nullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

const Progress = Type.Object(
  {
    total: Type.Integer(),
    queued: Type.Integer({
      description: 'Not yet known to be with the provider: waiting, being sent, or unconfirmed.',
    }),
    sent: Type.Integer({ description: 'Accepted by the provider, whatever happened afterwards.' }),
    delivered: Type.Integer({ description: 'Delivered to the mailbox; includes `complained`.' }),
    bounced: Type.Integer(),
    complained: Type.Integer(),
    failed: Type.Integer(),
    suppressed: Type.Integer(),
    cancelled: Type.Integer(),
    sending: Type.Integer({ description: 'Of `queued`: in the hands of a worker.' }),
    unconfirmed: Type.Integer({ description: 'Of `queued`: handed over, but the provider’s answer never came.' }),
    percent: Type.Number({ description: 'The share of `total` that Posthorn has finished.' }),
  },
  { title: 'SendProgress', description: '`total` = `queued` + `sent` + `failed` + `suppressed` + `cancelled`.' },
);

const JobStatus = Type.Enum(
  [
    'queued',
    'paused',
    'processing',
    'completed',
    'completed_with_errors',
    'failed',
    'cancelled',
    'scheduled',
    'suppressed',
  ],
  {
    title: 'SendStatus',
    description:
      '`completed`: nothing is left to hand to the provider; delivery events may follow. `paused`: the rest waits, ' +
      'and `pauseReason` says for what.',
  },
);

const Subject = Type.String({
  description: 'The subject of its emails. Values of a template that differ for each recipient stand as names.',
});

const followed = {
  status: JobStatus,
  progress: Progress,
  queue: Type.Object({
    position: Type.Integer({
      description: 'Place of the next email of this job in the queue, from 1; 0 when none waits.',
    }),
    ahead: Type.Integer({ description: 'Emails ahead of it in the queue.' }),
    ratePerSecond: Type.Number({ description: 'The rate at this moment, shared by all.' }),
  }),
  estimatedCompletionAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description:
      'By the rate at this moment, the limit of the provider and a pause that it asked for. null: nothing waits in ' +
      'the queue, or the send is paused.',
  }),
  estimateReason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why there is no estimate although something waits: the send or its workspace is paused, for example.',
  }),
  createdAt: Type.String({ format: 'date-time' }),
  startedAt: nullableTime,
  completedAt: nullableTime,
  pausedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'The time of the pause. POST /v1/send/:jobId/resume resumes a send that does not go on by itself.',
  }),
  pauseReason: Type.Union([Type.String(), Type.Null()], {
    description: 'The reason of the pause, and the remedy.',
    examples: ['31 of 520 addresses do not exist or refuse mail for good (6%; the limit is 5%).'],
  }),
  pauseCode: Type.Union([Type.Enum([...PAUSE_CODES]), Type.Null()], {
    description:
      'The cause of the pause, for programs. All but `reputation` (too many bounces or complaints) end by themselves.',
  }),
  resumesAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When a paused send is expected to go on by itself; null: that is not known.',
  }),
};

export const SendJob = Type.Object(
  {
    jobId: Type.String({
      format: 'uuid',
      description: 'The send, as its emails name it (`job_id`). Of a send that waits for its time: its `scheduledId`.',
    }),
    id: Type.String({
      format: 'uuid',
      description: 'The id that was asked for: `jobId`, or the `scheduledId` of a send that was scheduled.',
    }),
    batchId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The batch that the send was accepted with; null: it came alone.',
    }),
    subject: Type.Union([Subject, Type.Null()], {
      description: 'The subject of its emails. Null: the send waits for its time, and its template has the subject.',
    }),
    ...followed,
    emails: Type.Object({
      data: Type.Array(
        Type.Object({
          id: Type.String({ format: 'uuid' }),
          to: Type.String(),
          status: EmailStatus,
          messageId: Type.String(),
          lastEventAt: nullableTime,
          error: nullableText,
        }),
      ),
      page: Type.Integer(),
      limit: Type.Integer(),
      total: Type.Integer(),
      total_is_estimate: Type.Optional(
        Type.Boolean({ description: 'There are more emails than `total`, which is exact up to 10,000.' }),
      ),
      has_more: Type.Boolean(),
    }),
  },
  { title: 'Send' },
);

export const Batch = Type.Object(
  {
    batchId: Type.String({ format: 'uuid' }),
    id: Type.String({ format: 'uuid' }),
    ...followed,
    jobs: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Place of the item in the request.' }),
        jobId: Type.String({ format: 'uuid' }),
        to: Type.Union([Type.String(), Type.Null()], {
          description: 'The first of its recipients; `progress.total` counts them.',
        }),
        subject: Type.Union([Subject, Type.Null()], {
          description: 'Null: the item waits for its time, and its template has the subject.',
        }),
        status: JobStatus,
        progress: Progress,
      }),
    ),
  },
  { title: 'Batch' },
);

export const JobParams = Type.Object({ jobId: Type.String() });
export const BatchParams = Type.Object({ id: Type.String() });

export const JobQuery = Type.Object({
  status: Type.Optional(EmailStatus),
  page: Type.Optional(Type.String()),
  limit: Type.Optional(Type.String()),
});

export const JobCancelled = Type.Object({
  success: Type.Literal(true),
  status: Type.Literal('cancelled'),
  cancelled: Type.Integer({ description: 'Emails that will not be sent.' }),
  alreadySent: Type.Integer({ description: 'Emails that had left, or were leaving.' }),
});

export const JobResumed = Type.Object({
  success: Type.Literal(true),
  status: Type.Literal('resumed'),
});

export const Queue = Type.Object(
  {
    depth: Type.Integer({ description: 'Emails waiting on this server, of every workspace.' }),
    depth_is_estimate: Type.Boolean({ description: 'Counting stopped: the true depth is larger.' }),
    by_lane: Type.Object({
      system: Type.Integer(),
      transactional: Type.Integer(),
      bulk: Type.Integer(),
    }),
    ratePerSecond: Type.Number({
      description: 'Recipients per second at this moment, shared by all. Lower after the provider throttled.',
    }),
    ahead_of_you: Type.Integer({
      description: 'Emails that leave before your next one; 0 when nothing of yours waits.',
    }),
    estimatedDrainAt: nullableTime,
    estimate_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why there is no estimate: sending is held for the whole server, or paused for this workspace.',
    }),
    paused_until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Nothing leaves before this instant, because the provider asked for a pause.',
    }),
    pause_reason: nullableText,
    held_since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'Nothing has left since this instant and nothing leaves until an operator confirms, because the database of ' +
        'the server was restored or copied. Emails are accepted and wait.',
    }),
  },
  { title: 'Queue' },
);

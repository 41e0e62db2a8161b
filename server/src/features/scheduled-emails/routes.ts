import { Type } from 'typebox';
import { fillSend, SEND_LIMITS } from '#features/emails';
import { warningsOf } from '#platform/http/fields/unknown-fields.ts';
import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { checkIfMatch, type RecordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { newId } from '#platform/ids.ts';
import { cancelScheduled } from './changing/cancel-scheduled.ts';
import { changeScheduled } from './changing/change-scheduled.ts';
import { createScheduled } from './changing/create-scheduled.ts';
import { reschedule, sendNow } from './changing/reschedule.ts';
import { lockScheduledEmail } from './queries/one.ts';
import { readChange, readNewSchedule, readNewTime } from './read-fields.ts';
import { listScheduled } from './reading/list-scheduled.ts';
import { getScheduled, note, noteAndRead, readScheduled } from './reading/read-scheduled.ts';
import * as schemas from './schemas.ts';
import type { ScheduledWiring } from './wiring.ts';

const version: RecordVersion = {
  fields: ['status', 'version'],
  lock: (ctx, { id = '' }) => lockScheduledEmail(ctx.db, ctx.workspaceId, id),
};

const tag = 'Scheduled emails';
const ONE = { aliases: ['/v1/scheduled/:id'], tag, params: schemas.ScheduledParams } as const;

export const scheduledRoutes = (wiring: ScheduledWiring): readonly Route[] => [
  route({
    method: 'POST',
    path: '/scheduled',
    aliases: ['/v1/scheduled'],
    id: 'schedule_email',
    version,
    tag,
    summary: 'Schedule an email',
    description:
      'Takes the body of `POST /v1/send` and keeps it until its time comes. The limits of the key do not count it. ' +
      'Suppressions, the caps of the domain and the quota of the workspace count when it is sent. Needs the scope ' +
      '`scheduled:write` or `emails:send`.',
    access: { scope: 'scheduled:write', orScope: 'emails:send', newMail: true },
    status: 201,
    body: {
      json: schemas.ScheduleBody,
      bytesMax: SEND_LIMITS.requestBytes,
      others: schemas.SCHEDULE_NAMES,
      warns: true,
      takesKey: true,
      read: readNewSchedule,
    },
    example: {
      body: {
        from: 'Acme <hello@posthorn.test>',
        to: 'ada@example.com',
        subject: 'Reminder',
        text: 'We see each other tomorrow.',
        scheduled_for: 'in 2 hours',
      },
    },
    response: schemas.ScheduledRecord,
    errors: [409, 413, 422],
    handler: async (ctx, { body: read, request }) => {
      const place = { param: 'scheduled_for', isLimited: false };
      const filled = { ...(await fillSend(ctx, read)), schedule: read.schedule };
      const done = await createScheduled(ctx, wiring, filled, place);
      return { ...(await noteAndRead(ctx, wiring, done)), ...warningsOf(request) };
    },
  }),
  route({
    method: 'GET',
    path: '/scheduled',
    aliases: ['/v1/scheduled'],
    id: 'list_scheduled_emails',
    tag,
    summary: 'List scheduled emails',
    description: 'Newest first, without texts and logs. `from` and `to` are about the time at which they are to leave.',
    access: { scope: 'scheduled:read' },
    query: schemas.ScheduledQuery,
    response: listEnvelope(schemas.ScheduledSummaryRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { data, total, goOnAfter } = await listScheduled(ctx, query, page);
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      return answerPage(page, data, { total, totalIsEstimate, goOnAfter, url: request.url });
    },
  }),
  route({
    ...ONE,
    method: 'GET',
    path: '/scheduled/:id',
    id: 'get_scheduled_email',
    version,
    summary: 'Read a scheduled email',
    description: 'With its texts, the names of its files, and the log of what was done to it.',
    access: { scope: 'scheduled:read' },
    response: schemas.ScheduledRecord,
    errors: [404],
    handler: async (ctx, { params }) => readScheduled(ctx, wiring, await getScheduled(ctx, params.id)),
  }),
  route({
    ...ONE,
    method: 'PATCH',
    path: '/scheduled/:id',
    id: 'update_scheduled_email',
    version,
    summary: 'Change a scheduled email',
    description:
      'Only the fields in the body change; `attachments` replaces all files. 409 once sending has begun. Its time is ' +
      'changed by `PATCH /scheduled/:id/reschedule`.',
    access: { scope: 'scheduled:write' },
    body: {
      json: schemas.ChangeBody,
      optional: true,
      bytesMax: SEND_LIMITS.requestBytes,
      others: schemas.CHANGE_NAMES,
      warns: true,
      read: readChange,
    },
    example: { body: { subject: 'Reminder: tomorrow at nine' } },
    response: schemas.ScheduledRecord,
    errors: [404, 409, 413, 422],
    handler: async (ctx, { params, body, request }) => {
      const { row, done } = await changeScheduled(ctx, wiring, params.id, body ?? {});
      const record = done === null ? readScheduled(ctx, wiring, row) : noteAndRead(ctx, wiring, done);
      return { ...(await record), ...warningsOf(request) };
    },
  }),
  route({
    ...ONE,
    method: 'DELETE',
    path: '/scheduled/:id',
    id: 'cancel_scheduled_email',
    version,
    summary: 'Cancel a scheduled email',
    description: 'After the answer it is never sent. 409 once sending has begun, and when it is cancelled already.',
    access: { scope: 'scheduled:write' },
    response: schemas.Cancelled,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      const done = await cancelScheduled(ctx, params.id);
      note(ctx, wiring, done);
      return { success: true, id: done.row.id, status: 'cancelled' };
    },
  }),
  route({
    method: 'PATCH',
    path: '/scheduled/:id/reschedule',
    aliases: ['/v1/scheduled/:id/reschedule'],
    id: 'reschedule_email',
    tag,
    summary: 'Reschedule an email',
    description:
      'Gives it another time. The same token, as `idempotency_token` or in the header `Idempotency-Key`, gives the same ' +
      'answer again for 24 hours and changes nothing. 409 once sending has begun.',
    access: { scope: 'scheduled:write' },
    params: schemas.ScheduledParams,
    headers: Type.Object({
      'If-Match': Type.Optional(Type.String({ description: 'The ETag that GET gave: 409 if it has changed since.' })),
    }),
    body: {
      json: schemas.RescheduleBody,
      others: schemas.RESCHEDULE_NAMES,
      takesKey: 'idempotency_token',
      read: readNewTime,
    },
    example: { body: { scheduled_for: '2026-12-01T09:00:00', timezone: 'Europe/Berlin' } },
    response: schemas.Rescheduled,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body, request }) => {
      const { 'if-match': match, 'idempotency-key': key } = request.headers;
      const token = typeof key === 'string' ? key : newId();
      const done = await reschedule(ctx, params.id, body, {
        token,
        check: async (held, row) => {
          if (match !== undefined) checkIfMatch(match, version, await readScheduled(held, wiring, row));
        },
      });
      note(ctx, wiring, done);
      const { id, scheduledFor, scheduleNote } = done.row;
      return {
        success: true,
        id,
        status: 'scheduled',
        scheduled_for: scheduledFor,
        previous_scheduled_for: done.previous,
        schedule_note: scheduleNote,
        idempotency_token: token,
      };
    },
  }),
  route({
    method: 'POST',
    path: '/scheduled/:id/send-now',
    aliases: ['/v1/scheduled/:id/send-now'],
    id: 'send_scheduled_email_now',
    changes: { path: '/scheduled/:id', version },
    tag,
    summary: 'Send a scheduled email now',
    description: 'Moves its time to one second from now. 409 once sending has begun.',
    access: { scope: 'scheduled:write' },
    params: schemas.ScheduledParams,
    response: schemas.SentNow,
    errors: [404, 409, 422],
    handler: async (ctx, { params }) => {
      const done = await sendNow(ctx, params.id);
      note(ctx, wiring, done);
      return { success: true, id: done.row.id, status: 'scheduled', scheduled_for: done.row.scheduledFor };
    },
  }),
];

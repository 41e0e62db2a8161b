import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { previewOfSend } from '#features/compositions';
import { bulkSends } from '#features/outbox';
import { type Route, route } from '#platform/http/route.ts';
import { countBroadcast, countedView } from './audience/count-broadcast.ts';
import { previewBroadcast } from './content/preview-broadcast.ts';
import { sendTestOfBroadcast } from './content/send-test-of-broadcast.ts';
import { correctBroadcast } from './writing/correct-broadcast.ts';
import { CorrectionBody } from './corrections/correction.ts';
import { linksVersion, version } from './broadcast-version.ts';
import { getBroadcast } from './get-broadcast.ts';
import { ClickedLinks, readClickedLinks } from './reading/clicked-links.ts';
import { listRecipients, Recipient, recipientView } from './reading/recipients.ts';
import { listBroadcasts } from './reading/list-broadcasts.ts';
import { noteAndRead, readBroadcast } from './reading/read-broadcast.ts';
import { previewVersion } from './reading/preview-version.ts';
import { readStats } from './reading/read-stats.ts';
import { Course, Stats } from './broadcast-stats.ts';
import * as schemas from './schemas.ts';
import type { BroadcastsWiring } from './wiring.ts';
import { LIMITS } from './writing/broadcast-input.ts';
import { changeBroadcast } from './writing/change-broadcast.ts';
import { createBroadcast, duplicateBroadcast } from './writing/create-broadcast.ts';
import { readBroadcastChange, readNewBroadcast } from './writing/read-fields.ts';
import { removeBroadcast } from './writing/remove-broadcast.ts';

const tag = 'Broadcasts';
const readers = { scope: 'broadcasts:read' } as const;
const writers = { scope: 'broadcasts:write' } as const;
const mailers = { scope: 'broadcasts:send', newMail: true } as const;

const one = { tag, params: schemas.BroadcastParams } as const;

export const broadcastRoutes = (wiring: BroadcastsWiring): Route[] => [
  route({
    tag,
    path: '/broadcasts',
    aliases: ['/v1/broadcasts'],
    method: 'GET',
    id: 'list_broadcasts',
    summary: 'List broadcasts',
    description: 'Newest first, each with its statistics, without texts and logs.',
    access: readers,
    query: schemas.BroadcastsQuery,
    response: listEnvelope(schemas.BroadcastInList),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const filter = { status: query.status ?? null, search: query.search ?? null };
      const { data, ...counted } = await listBroadcasts(ctx, filter, page);
      return answerPage(page, data, { ...counted, url: request.url });
    },
  }),
  route({
    tag,
    path: '/broadcasts',
    aliases: ['/v1/broadcasts'],
    method: 'POST',
    id: 'create_broadcast',
    version,
    summary: 'Create a broadcast',
    description:
      'Creates a draft, which may lack anything but a name or a subject. Missing parts are asked for when it is sent. ' +
      'A `scheduled_for` is stored, and sending the draft then schedules it.',
    access: writers,
    status: 201,
    body: {
      json: schemas.CreateBroadcastBody,
      others: schemas.BROADCAST_NAMES,
      bytesMax: LIMITS.requestBytes,
      read: readNewBroadcast,
    },
    example: {
      body: {
        name: 'Black Friday',
        from: 'Acme <hello@posthorn.test>',
        subject: 'Hi {{ first_name | default: "there" }}',
        html: '<p>Two days only.</p>',
      },
    },
    response: schemas.BroadcastRecord,
    errors: [422],
    handler: async (ctx, { body }) => noteAndRead(ctx, wiring, await createBroadcast(ctx, body)),
  }),
  route({
    ...one,
    path: '/broadcasts/:id',
    aliases: ['/v1/broadcasts/:id'],
    method: 'GET',
    id: 'get_broadcast',
    version,
    summary: 'Read a broadcast',
    description:
      'With its texts, its statistics, the log of changes, and why sending makes no progress if it makes none.',
    access: readers,
    response: schemas.BroadcastRecord,
    errors: [404],
    handler: async (ctx, { params }) => readBroadcast(ctx, wiring, await getBroadcast(ctx, params.id)),
  }),
  route({
    ...one,
    path: '/broadcasts/:id',
    aliases: ['/v1/broadcasts/:id'],
    method: 'PATCH',
    id: 'update_broadcast',
    version,
    summary: 'Change a broadcast',
    description:
      'Only the fields in the body change; `audience` and `variables` are replaced as a whole. `scheduled_for: null` ' +
      'turns a scheduled broadcast into a draft. Changing a scheduled one needs `broadcasts:send` too. 409 once it is ' +
      'being sent, unless it is paused: then `subject`, `preheader`, `html`, `text` and `variables` may change, for who ' +
      'has not been sent it yet. That makes the next `content_version`.',
    access: writers,
    body: {
      json: schemas.UpdateBroadcastBody,
      others: schemas.BROADCAST_NAMES,
      optional: true,
      bytesMax: LIMITS.requestBytes,
      read: readBroadcastChange,
    },
    example: { body: { subject: 'One day left' } },
    response: schemas.BroadcastRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) =>
      noteAndRead(ctx, wiring, await changeBroadcast(ctx, params.id, body ?? {})),
  }),
  route({
    ...one,
    path: '/broadcasts/:id',
    aliases: ['/v1/broadcasts/:id'],
    method: 'DELETE',
    id: 'delete_broadcast',
    version,
    summary: 'Delete a broadcast',
    description:
      '409 while it is scheduled or being sent (cancel it first), and while some of its emails are still leaving.',
    access: writers,
    response: schemas.Removed,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      await removeBroadcast(ctx, params.id);
      return { success: true, id: params.id };
    },
  }),
  route({
    ...one,
    path: '/broadcasts/:id/duplicate',
    aliases: ['/v1/broadcasts/:id/duplicate'],
    method: 'POST',
    id: 'duplicate_broadcast',
    version,
    summary: 'Duplicate a broadcast',
    description: 'Creates a draft with the same content and audience. The broadcast can be in any state.',
    access: writers,
    status: 201,
    response: schemas.BroadcastRecord,
    errors: [404],
    handler: async (ctx, { params }) => noteAndRead(ctx, wiring, await duplicateBroadcast(ctx, params.id)),
  }),
  route({
    ...one,
    path: '/broadcasts/:id/correction',
    aliases: ['/v1/broadcasts/:id/correction'],
    method: 'POST',
    id: 'correct_broadcast',
    version,
    summary: 'Write a correction of a broadcast',
    description:
      'Creates a draft for exactly those who were sent the broadcast, or one version of its content, with the newest ' +
      'content to write it from. They are read when it is sent; contacts who left since get nothing. 409 before ' +
      'the broadcast is sent, 422 when nobody was sent that version.',
    access: writers,
    status: 201,
    body: { json: CorrectionBody, optional: true },
    example: { body: { content_version: 1 } },
    response: schemas.BroadcastRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) =>
      noteAndRead(ctx, wiring, await correctBroadcast(ctx, params.id, body?.content_version ?? null)),
  }),
  route({
    ...one,
    path: '/broadcasts/:id/preview',
    aliases: ['/v1/broadcasts/:id/preview'],
    method: 'GET',
    id: 'preview_broadcast',
    summary: 'Preview a broadcast',
    description:
      'Renders it for a contact, or for an invented one. Its unsubscribe links do not work. 422 gives the reason when ' +
      'it cannot be rendered, 404 stands for a version that it does not have.',
    access: readers,
    query: schemas.PreviewQuery,
    response: schemas.Preview,
    errors: [404, 422],
    handler: async (ctx, { params, query }) => {
      const broadcast = await getBroadcast(ctx, params.id);
      const { contact_id: contactId = null, content_version: asked, number_links: numbers } = query;
      if (asked === undefined) {
        return previewOfSend(ctx, broadcast, await previewBroadcast(ctx, broadcast, contactId), numbers === 'true');
      }
      const version = Number(asked);
      const shown = await previewVersion(ctx, broadcast, { contactId, version });
      return { ...(await previewOfSend(ctx, broadcast, shown, numbers === 'true')), content_version: version };
    },
  }),
  route({
    ...one,
    path: '/broadcasts/:id/send-test',
    aliases: ['/v1/broadcasts/:id/send-test'],
    method: 'POST',
    id: 'send_test_of_broadcast',
    summary: 'Send a broadcast to yourself',
    description:
      'Sends it to one address. The subject begins with `[Test]`, and the unsubscribe links do not work. The email is ' +
      'not tracked and counts in no statistics. At most 30 an hour and 100 a day, for each broadcast and for each key. ' +
      '422 for a suppressed address.',
    access: mailers,
    body: { json: schemas.SendTestBody },
    example: { body: { to: 'ada@example.com' } },
    response: schemas.SendTestAnswer,
    errors: [404, 422, 429],
    handler: async (ctx, { params, body }) => ({
      success: true,
      ...(await sendTestOfBroadcast(ctx, await getBroadcast(ctx, params.id), body.to)),
    }),
  }),
  route({
    ...one,
    path: '/broadcasts/:id/audience-count',
    aliases: ['/v1/broadcasts/:id/audience-count'],
    method: 'GET',
    id: 'count_broadcast_audience',
    summary: 'Count the audience of a broadcast',
    description:
      'The people who would get it now. `total = suppressed + unsubscribed + will_send`. Subscribers of a newsletter who ' +
      'have not confirmed are not counted. With a local time in the time zones of recipients, `starts` says when it would ' +
      'leave, and for how many.',
    access: readers,
    query: schemas.AudienceQuery,
    response: schemas.AudienceCounted,
    errors: [404, 422],
    handler: async (ctx, { params, query }) =>
      countedView(await countBroadcast(ctx, await getBroadcast(ctx, params.id), query)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/broadcasts/:id/stats',
    aliases: ['/v1/broadcasts/:id/stats'],
    id: 'get_broadcast_stats',
    summary: 'Read the statistics of a broadcast',
    description: 'The counts of this moment. In every answer, `total = pending + sent + failed`.',
    access: readers,
    response: Stats,
    errors: [404],
    handler: async (ctx, { params }) => readStats(ctx.db, await getBroadcast(ctx, params.id)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/broadcasts/:id/course',
    aliases: ['/v1/broadcasts/:id/course'],
    id: 'get_broadcast_course',
    summary: 'Read when a broadcast was opened and clicked',
    description:
      'How many recipients opened it and clicked, each once and at their first time, by the hours or days since it ' +
      'began. Machines are not counted. `uncounted` opens were before this was counted by time. The counts stay when ' +
      'retention removes the emails.',
    access: readers,
    query: bulkSends.CourseQuery,
    response: Course,
    errors: [404],
    example: { query: { granularity: 'hour', timezone: 'Europe/Berlin' } },
    handler: async (ctx, { params, query }) => bulkSends.readCourse(ctx, await getBroadcast(ctx, params.id), query),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/broadcasts/:id/recipients',
    aliases: ['/v1/broadcasts/:id/recipients'],
    id: 'list_broadcast_recipients',
    summary: 'List the recipients of a broadcast',
    description:
      'The newest email first, each with its state. `type` lists the recipients of one count of the statistics, as long ' +
      'as their emails are there. `total` is exact up to 10,000.',
    access: readers,
    query: schemas.RecipientsQuery,
    response: listEnvelope(Recipient),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const broadcast = await getBroadcast(ctx, params.id);
      const { rows, ...counted } = await listRecipients(ctx, broadcast, { page, type: query.type });
      return answerPage(page, rows, { ...counted, url: request.url, view: (row) => recipientView(row, broadcast) });
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/broadcasts/:id/clicked-links',
    aliases: ['/v1/broadcasts/:id/clicked-links'],
    id: 'list_broadcast_links',
    version: linksVersion,
    summary: 'Read the clicks of a broadcast by link',
    description:
      'Every link whose clicks are counted, in the order of the broadcast. `counted_since` is null, and `data` is empty, ' +
      'when it was not sent or does not track clicks.',
    access: readers,
    response: ClickedLinks,
    errors: [404],
    handler: async (ctx, { params }) => readClickedLinks(ctx.db, await getBroadcast(ctx, params.id)),
  }),
];

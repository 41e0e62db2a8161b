import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { aNewsletter, aWorkspace } from '../../../test/harness/builders.ts';

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

let app: TestApp;
before(async () => {
  app = await createTestApp();
});
after(() => app.close());

const YEAR = new Date().getUTCFullYear() + 1;
const call = async (url: string, body?: object, key?: string): Promise<{ status: number; body: Body }> => {
  const { status, body: answer } = await app.request({
    method: body === undefined ? 'GET' : 'POST',
    url,
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });
  return { status, body: answer };
};
const aKey = async (body: object): Promise<string> =>
  (await call('/v1/api-keys', { name: 'test', scopes: ['scheduled:read', 'issues:read'], ...body })).body.key;

/** Times may lie further ahead than the API takes: the rows are moved behind its back. */
const scheduled = async (at: string, body: object = {}): Promise<string> => {
  const email = { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'Later', text: 'Hi' };
  const { body: made } = await call('/scheduled', { ...email, scheduled_for: 'in 1 day', ...body });
  await sql`update scheduled_emails set scheduled_for = ${at} where workspace_id = ${app.workspaceId} and id = ${made.id}`.execute(
    app.db,
  );
  return made.id;
};

const issue = async (newsletterId: string, at: string, status = 'scheduled'): Promise<string> => {
  const { body: made } = await call(`/v1/newsletters/${newsletterId}/issues`, {
    subject: 'News',
    html_body: '<p>1</p>',
  });
  await sql`update issues set scheduled_for = ${at}, status = ${status}
    where workspace_id = ${app.workspaceId} and id = ${made.id}`.execute(app.db);
  return made.id;
};

const calendar = (query: string, key?: string) => call(`/v1/calendar?${query}`, undefined, key);
const idsOf = (days: Body): Record<string, string[]> =>
  Object.fromEntries(
    days
      .filter(({ items }: Body) => items.length > 0)
      .map(({ date, items }: Body) => [date, items.map(({ id }: Body) => id)]),
  );

const broadcast = async (at: string, status = 'scheduled'): Promise<string> => {
  const { body: made } = await call('/broadcasts', { name: 'Sale', subject: 'Half price', recipient_timezone: true });
  await sql`update broadcasts set scheduled_for = ${at}, status = ${status}
    where workspace_id = ${app.workspaceId} and id = ${made.id}`.execute(app.db);
  return made.id;
};

test('200 with broadcasts too, for those who may read them; drafts and cancelled ones leave at no time', async () => {
  const id = await broadcast(`${YEAR}-05-02T08:00:00Z`);
  await broadcast(`${YEAR}-05-02T09:00:00Z`, 'draft');
  await broadcast(`${YEAR}-05-02T09:00:00Z`, 'cancelled');
  const span = `start=${YEAR}-05-02&end=${YEAR}-05-03&timezone=UTC`;
  const { body } = await calendar(span);
  const [{ total, items }] = body.days;
  assert.equal(total, 1);
  const { newsletter_id, newsletter_name, to, recipients, timezone, scheduled_for, wall_time, ...shown } = items[0];
  const words = { name: 'Sale', subject: 'Half price', recipient_timezone: true };
  assert.deepEqual(shown, { type: 'broadcast', id, ...words, status: 'scheduled' });
  assert.equal(scheduled_for, `${YEAR}-05-02T08:00:00.000Z`);
  assert.deepEqual([newsletter_id, newsletter_name, to, recipients, timezone, wall_time], Array(6).fill(null));
  const { body: unseen } = await calendar(span, await aKey({}));
  assert.deepEqual([unseen.days[0].total, unseen.days[0].items], [0, []]);
});

test('200 with issues and broadcasts that were sent at once, at the time at which they began', async () => {
  const { id: newsletterId } = await aNewsletter(app.db, app.workspaceId, { name: 'Sent at once' });
  const at = `${YEAR}-06-02T08:00:00Z`;
  const later = `${YEAR}-07-02T08:00:00Z`;
  const made = [await broadcast(later, 'sent'), await issue(newsletterId, later, 'sent')];
  const early = [await broadcast(later, 'failed'), await issue(newsletterId, later, 'sending')];
  const local = await broadcast(`${YEAR}-06-03T08:00:00Z`, 'sent');
  await sql`update broadcasts set started_at = ${at}::timestamptz, recipient_timezone = (id = ${local}::uuid),
      scheduled_for = case when id <> ${made[0]}::uuid then scheduled_for end
    where workspace_id = ${app.workspaceId} and id = any(${[made[0], early[0], local]}::uuid[])`.execute(app.db);
  await sql`update issues set started_at = ${at}::timestamptz, scheduled_for = case when id <> ${made[1]}::uuid then scheduled_for end
    where workspace_id = ${app.workspaceId} and id = any(${[made[1], early[1]]}::uuid[])`.execute(app.db);
  const { body } = await calendar(`start=${YEAR}-06-01&end=${YEAR}-06-30&timezone=UTC`);
  const { [`${YEAR}-06-02`]: began = [], ...others } = idsOf(body.days);
  assert.deepEqual(began.toSorted(), [...made, ...early].toSorted());
  assert.deepEqual(others, { [`${YEAR}-06-03`]: [local] }, 'at local times, its own time');
  const day = body.days[1];
  assert.equal(day.total, 4);
  assert.deepEqual(
    new Set(day.items.map((item: Body) => item.scheduled_for)),
    new Set([`${YEAR}-06-02T08:00:00.000Z`]),
  );
  assert.deepEqual(idsOf((await calendar(`start=${YEAR}-07-01&end=${YEAR}-07-30`)).body.days), {});
});

test('200 with emails and issues by the days of the zone, in the order of their times', async () => {
  const { id: newsletterId } = await aNewsletter(app.db, app.workspaceId, { name: 'Acme Weekly' });
  const second = await scheduled(`${YEAR}-03-02T10:00:00Z`, { to: ['ada@example.com', 'bob@example.com'] });
  const first = await issue(newsletterId, `${YEAR}-03-02T08:00:00Z`);
  const asked = `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T10:00:00`;
  const local = { scheduled_for: asked, timezone: 'Europe/Berlin' };
  const lateInBerlin = await scheduled(`${YEAR}-03-02T23:30:00Z`, local);
  await issue(newsletterId, `${YEAR}-03-02T09:00:00Z`, 'draft');
  await issue(newsletterId, `${YEAR}-03-02T09:00:00Z`, 'cancelled');
  const cancelled = await scheduled(`${YEAR}-03-02T09:30:00Z`);
  await app.request({ method: 'DELETE', url: `/scheduled/${cancelled}` });

  const { status, body } = await calendar(`start=${YEAR}-03-02&end=${YEAR}-03-04&timezone=Europe/Berlin`);
  assert.equal(status, 200);
  assert.deepEqual(idsOf(body.days), { [`${YEAR}-03-02`]: [first, second], [`${YEAR}-03-03`]: [lateInBerlin] });
  assert.equal(body.days[1].items[0].wall_time, asked);
  const [{ items, ...day }] = body.days;
  assert.equal(body.timezone, 'Europe/Berlin');
  assert.deepEqual(day, {
    date: `${YEAR}-03-02`,
    start: `${YEAR}-03-01T23:00:00.000Z`,
    total: 2,
    total_is_estimate: false,
  });
  const common = { status: 'scheduled', timezone: null, wall_time: null, name: null, recipient_timezone: false };
  assert.deepEqual(items, [
    {
      ...common,
      type: 'issue',
      id: first,
      newsletter_id: newsletterId,
      newsletter_name: 'Acme Weekly',
      subject: 'News',
      to: null,
      recipients: null,
      scheduled_for: `${YEAR}-03-02T08:00:00.000Z`,
      timezone: 'UTC',
    },
    {
      ...common,
      type: 'scheduled_email',
      id: second,
      newsletter_id: null,
      newsletter_name: null,
      subject: 'Later',
      to: 'ada@example.com',
      recipients: 2,
      scheduled_for: `${YEAR}-03-02T10:00:00.000Z`,
    },
  ]);
  const utc = await calendar(`start=${YEAR}-03-02&end=${YEAR}-03-03`);
  assert.equal(utc.body.timezone, 'UTC', 'the zone of the workspace');
  assert.deepEqual(idsOf(utc.body.days), { [`${YEAR}-03-02`]: [first, second, lateInBerlin] });
});

test('200 with the first of a day, and how many it has', async () => {
  const ids = [];
  for (const minute of ['30', '10', '20']) ids.push(await scheduled(`${YEAR}-04-01T09:${minute}:00Z`));
  const { body } = await calendar(`start=${YEAR}-04-01&end=${YEAR}-04-02&limit=2`);
  assert.deepEqual(idsOf(body.days), { [`${YEAR}-04-01`]: [ids[1], ids[2]] });
  assert.equal(body.days[0].total, 3);
});

test('200 with 25 hours on the day on which the clocks go back', async () => {
  const { body } = await calendar(`start=${YEAR}-10-24&end=${YEAR}-11-02&timezone=Europe/Berlin`);
  const starts = body.days.map(({ start }: Body) => Date.parse(start));
  const hours = starts.slice(1).map((start: number, index: number) => (start - starts[index]) / 3_600_000);
  assert.deepEqual(
    hours.toSorted((a: number, b: number) => a - b),
    [24, 24, 24, 24, 24, 24, 24, 25],
  );
});

test('a key is shown the kinds of its scopes, and the newsletters that it is limited to', async () => {
  const mine = await aNewsletter(app.db, app.workspaceId);
  const other = await aNewsletter(app.db, app.workspaceId);
  const at = `${YEAR}-05-05T09:00:00Z`;
  const ofMine = await issue(mine.id, at);
  const ofOther = await issue(other.id, at);
  const email = await scheduled(at);
  const shown = async (key: string): Promise<string[]> => {
    const { body } = await calendar(`start=${YEAR}-05-05&end=${YEAR}-05-06`, key);
    return body.days.flatMap(({ items }: Body) => items.map(({ id }: Body) => id)).toSorted();
  };
  assert.deepEqual(await shown(await aKey({})), [email, ofMine, ofOther].toSorted());
  assert.deepEqual(await shown(await aKey({ scopes: ['scheduled:read'] })), [email]);
  assert.deepEqual(await shown(await aKey({ scopes: ['issues:read'] })), [ofMine, ofOther].toSorted());
  assert.deepEqual(await shown(await aKey({ newsletter_ids: [mine.id] })), [email, ofMine].toSorted());
});

test('a key of some newsletters is shown the broadcasts that go to one of them', async () => {
  const mine = await aNewsletter(app.db, app.workspaceId);
  const other = await aNewsletter(app.db, app.workspaceId);
  const at = `${YEAR}-05-09T09:00:00Z`;
  const [toMine, toOther, toContacts] = [await broadcast(at), await broadcast(at), await broadcast(at)];
  for (const [id, newsletterId] of [
    [toMine, mine.id],
    [toOther, other.id],
  ])
    await sql`update broadcasts set audience = audience || jsonb_build_object('newsletterId', ${newsletterId}::text)
      where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  const shown = async (body: object): Promise<[number, string[]]> => {
    const key = await aKey({ scopes: ['issues:read', 'broadcasts:read'], ...body });
    const { body: answer } = await calendar(`start=${YEAR}-05-09&end=${YEAR}-05-10`, key);
    const [{ total, items }] = answer.days;
    return [total, items.map(({ id }: Body) => id).toSorted()];
  };
  assert.deepEqual(await shown({ newsletter_ids: [mine.id] }), [1, [toMine]]);
  assert.deepEqual(await shown({}), [3, [toMine, toOther, toContacts].toSorted()]);
});

test('200 without the mail of another workspace', async () => {
  const workspaceId = await aWorkspace(app.db);
  const { id } = await aNewsletter(app.db, workspaceId);
  const mine = await aNewsletter(app.db, app.workspaceId);
  const moved = await issue(mine.id, `${YEAR}-06-06T09:00:00Z`);
  await sql`insert into issues (workspace_id, id, newsletter_id, slug, subject, html_body, status, scheduled_for)
    select ${workspaceId}, gen_random_uuid(), ${id}, slug, subject, html_body, status, scheduled_for
      from issues where workspace_id = ${app.workspaceId} and id = ${moved}`.execute(app.db);
  const { body } = await calendar(`start=${YEAR}-06-06&end=${YEAR}-06-07`);
  assert.deepEqual(idsOf(body.days), { [`${YEAR}-06-06`]: [moved] });
  assert.equal(body.days[0].total, 1);
});

test('400 for a span that is turned around or longer than six weeks, for no day, and for no zone', async () => {
  const refused = async (query: string) => {
    const { status, body } = await calendar(query);
    return [status, body.param];
  };
  assert.deepEqual(await refused(`start=${YEAR}-01-02&end=${YEAR}-01-01`), [400, 'start']);
  assert.deepEqual(await refused(`start=${YEAR}-01-01&end=${YEAR}-02-13`), [400, 'end']);
  assert.deepEqual(await refused(`start=${YEAR}-01-01`), [400, 'end']);
  assert.deepEqual(await refused(`start=${YEAR}-02-30&end=${YEAR}-03-04`), [400, 'start']);
  assert.deepEqual(await refused(`start=${YEAR}-01-01&end=${YEAR}-01-02&timezone=EST`), [400, 'timezone']);
  const { body } = await calendar(`start=${YEAR}-01-01&end=${YEAR}-02-12`);
  assert.equal(body.days.length, 42);
});

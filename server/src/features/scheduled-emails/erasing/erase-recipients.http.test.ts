import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { aNewsletter } from '../../../../test/harness/builders.ts';
import { withRowReads } from '../../../../test/harness/row-reads.ts';
import { type Body, createScheduledApp, type ScheduledApp } from '../test-kit.ts';
import { eraseRecipients } from './erase-recipients.ts';

let t: ScheduledApp;
before(async () => {
  t = await createScheduledApp();
});
after(() => t.close());

const contact = async (email: string): Promise<string> => {
  const reply = await t.call('POST', '/v1/contacts', { body: { email } });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.id;
};
const read = async (id: string): Promise<Body> => (await t.call('GET', `/${id}`)).body;

test('erasing a contact cancels the scheduled emails to them alone, and takes them out of the others', async () => {
  const contactId = await contact('gone@example.com');
  const alone = await t.scheduled({
    to: ['Gone Person <Gone@example.com>'],
    subject: 'For Gone',
    attachments: [{ filename: 'a.txt', content: Buffer.from('a').toString('base64') }],
  });
  const both = await t.scheduled({ to: ['gone@example.com', 'stays@example.com'], cc: ['not-gone@example.com'] });
  const others = await t.scheduled({ to: ['begone@example.com'] });
  const before = await t.stored(others.id);
  assert.equal((await t.call('DELETE', `/v1/contacts/${contactId}?erase=true`)).status, 200);

  const cancelled = await read(alone.id);
  assert.deepEqual(
    [cancelled.status, cancelled.error_code, cancelled.to, cancelled.subject, cancelled.text],
    ['cancelled', 'recipient_erased', [], null, null],
  );
  const logged = cancelled.audit_log.map(({ action, details }: Body) => [action, details]);
  assert.deepEqual(logged.slice(1), [['cancelled', { cancelled_by: 'system', code: 'recipient_erased' }]]);
  assert.doesNotMatch(JSON.stringify(cancelled.audit_log), /gone/i);
  const { row, files } = await t.stored(alone.id);
  assert.equal(files, 0);
  assert.doesNotMatch(JSON.stringify(row), /gone/i);
  const kept = await read(both.id);
  assert.deepEqual([kept.status, kept.to, kept.cc], ['scheduled', ['stays@example.com'], ['not-gone@example.com']]);
  assert.doesNotMatch(JSON.stringify((await t.stored(both.id)).row), /[^-]gone@/);
  assert.equal(kept.audit_log.length, 1, 'it was not cancelled');
  assert.deepEqual(await t.stored(others.id), before, 'an address that only contains it');
  const found = async (address: string) =>
    (await t.call('GET', `?search=${address}`)).body.data.map(({ id }: Body) => id);
  assert.deepEqual(await found('not-gone@example.com'), [both.id], 'who stays is still found');
  assert.deepEqual(await found('stays@example.com'), [both.id]);
});

test('erasing a subscriber does the same, and one who was not erased is left alone', async () => {
  const { id: newsletterId } = await aNewsletter(t.app.db, t.app.workspaceId);
  const added = await t.call('POST', `/v1/newsletters/${newsletterId}/subscribers`, {
    body: { email: 'reader@example.com', send_confirmation: false },
  });
  assert.equal(added.status, 201, added.text);
  const waiting = await t.scheduled({ to: 'reader@example.com' });
  const other = await t.scheduled({ to: 'other@example.com' });
  const removed = await t.call('DELETE', `/v1/newsletters/${newsletterId}/subscribers/${added.body.id}`);
  assert.equal(removed.status, 200, removed.text);
  assert.deepEqual([(await read(waiting.id)).status, (await read(other.id)).status], ['cancelled', 'scheduled']);
});

test('recipients behind the end of the searched text are found as they were typed', async () => {
  const filler = Array.from({ length: 49 }, (_, n) => `${'n'.repeat(200)} <f${n}@example.com>`);
  const typed = ['bob@example.com ', ' Bob  <bob@example.com> '];
  const stored: Body[] = [];
  for (const mailbox of typed) stored.push(await t.scheduled({ to: [...filler, mailbox], subject: 's'.repeat(200) }));
  const { row } = await t.stored(stored[0]?.id);
  assert.doesNotMatch(String(row?.search), /bob/, 'the text is cut off before');
  await inTransaction(t.app.db, (tx) => eraseRecipients(tx, t.app.workspaceId, ['bob@example.com']));
  for (const { id } of stored) assert.equal((await read(id)).to.length, 49);
});

test('an erasure reads the emails to the person, and not the thousands that wait for others', async () => {
  const named = await t.scheduled({ to: ['"John J. Doe" <J.Doe@Example.com>', 'x@example.com'] });
  const grouped = await t.scheduled({ to: 'Read <read@example.com>', bcc: ['read@example.com', 'x@example.com'] });
  const { rows: columns } = await sql<{ list: string }>`
    select string_agg(quote_ident(attname), ', ') as list from pg_attribute
     where attrelid = 'scheduled_emails'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       and attname not in ('id', 'search', 'body')`.execute(t.app.db);
  const list = sql.raw(columns[0]?.list ?? '');
  await sql`
    insert into scheduled_emails (id, search, body, ${list})
    select ph_uuidv7(), 'about read@example.com' || E'\n' || n || '@example.com',
           body || jsonb_build_object('to', n || '@example.com'), ${list}
      from scheduled_emails, generate_series(1, 3000) n where id = ${named.id}`.execute(t.app.db);
  await sql`analyze scheduled_emails`.execute(t.app.db);
  const { reads } = await withRowReads(t.app.db, ['scheduled_emails'], (tx) =>
    eraseRecipients(tx, t.app.workspaceId, ['read@example.com', 'j.doe@example.com']),
  );
  assert.ok(reads < 100, `${reads} rows read`);
  assert.deepEqual((await read(named.id)).to, ['x@example.com']);
  assert.deepEqual((await read(grouped.id)).status, 'cancelled');
});

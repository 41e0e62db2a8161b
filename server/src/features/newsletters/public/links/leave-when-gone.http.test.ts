import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { hashOfAddress } from '#features/consents';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { TestApp } from '../../../../../test/harness/app.ts';
import { until } from '../../../../../test/harness/until.ts';
import { signLink } from '../../link-token.ts';
import type { Newsletter } from '../../newsletter.ts';
import { awaitLeaving } from '../../subscribers/leaving/leaving-lock-queries.ts';
import type { Subscriber } from '../../subscribers/subscriber.ts';
import {
  aMember,
  aPublicApp,
  mailsTo,
  newsletterOf,
  ONE_CLICK,
  rowOf,
  sendForm,
  statusOf,
  subscribe,
  tokenFor,
  visit,
} from '../test-kit.ts';

let app: TestApp;
let newsletter: Newsletter;
before(async () => {
  app = await aPublicApp();
  newsletter = await newsletterOf(app, { slug: 'weekly', name: 'Acme Weekly' });
});
after(() => app.close());

let made = 0;
async function aReader() {
  const row = await aMember(app, newsletter, `gone${(made += 1)}@links.example`);
  const { workspaceId, newsletterId, id: subscriberId, email: address } = row;
  const claims = { workspaceId, newsletterId, subscriberId, address };
  return { row, url: `/api/n/unsubscribe?token=${await signLink(app.secrets, 'nl_unsub', claims, app.clock.now())}` };
}
const at = (path: string): string => `/v1/newsletters/${newsletter.id}/subscribers${path}`;
const erase = ({ id }: Subscriber) => app.request({ method: 'DELETE', url: at(`/${id}`) });
/** As the undo of an import removes people. */
const remove = ({ id }: Subscriber) =>
  sql`delete from subscribers where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
const add = (email: string, more = {}) => app.request({ url: at(''), body: { email, ...more } });

/** The records of leaving under the hash of an address. */
async function leavingsOf(email: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select email, subscriber_id, source, ip is not null as "hasIp", details from consents
     where workspace_id = ${app.workspaceId} and newsletter_id = ${newsletter.id} and action = 'unsubscribed'
       and email_hash = ${hashOfAddress(app.secrets, email)}`.execute(app.db);
  return rows;
}

test('200 for one click of an erased subscriber, remembered once by a hash: a call of the API adds them as one who left', async () => {
  const { row, url } = await aReader();
  assert.equal((await erase(row)).status, 200);
  for (const again of [false, true]) {
    const pressed = await sendForm(app, url, ONE_CLICK);
    assert.equal(pressed.status, 200, String(again));
    assert.match(pressed.text, /You are unsubscribed/);
    assert.doesNotMatch(pressed.text, /value="undo"|preferences/);
  }
  assert.equal(await rowOf(app, newsletter, row.email), undefined);
  const record = { email: null, subscriber_id: null, source: null, hasIp: true };
  assert.deepEqual(await leavingsOf(row.email), [
    { ...record, details: { reason: 'user', issue_id: null, method: 'POST' } },
  ]);
  const mails = await mailsTo(app, row.email);
  const added = await add(row.email, { name: 'Ada' });
  assert.deepEqual([added.status, (added.body as { status: string }).status], [200, 'unsubscribed']);
  const asserted = await add(row.email, { skip_confirmation: true, consent: { text: 'on paper' } });
  assert.deepEqual([asserted.status, await statusOf(app, newsletter, row.email)], [200, 'unsubscribed']);
  assert.equal(await mailsTo(app, row.email), mails, 'nobody is asked to confirm');
  const other = await aMember(app, newsletter, `other${(made += 1)}@links.example`);
  await app.request({ method: 'DELETE', url: at(`/${(await rowOf(app, newsletter, row.email))?.id}`) });
  await sendForm(app, url, ONE_CLICK);
  const moved = await app.request({ method: 'PATCH', url: at(`/${other.id}`), body: { email: row.email } });
  assert.deepEqual([moved.status, (moved.body as { param: string }).param], [422, 'email']);
  assert.equal((await add(row.email)).status, 200);
  assert.equal((await add(row.email, { resubscribe: true })).status, 200);
  assert.equal(await statusOf(app, newsletter, row.email), 'pending');
});

test('200 for a visit: a person has left when the page comes, a machine is shown a button, and a sign-up begins anew', async () => {
  const { row, url } = await aReader();
  await erase(row);
  const machine = await visit(app, url, { 'sec-purpose': 'prefetch' });
  assert.equal(machine.status, 200);
  assert.match(machine.text, /value="leave"/);
  assert.deepEqual(await leavingsOf(row.email), []);
  const person = await visit(app, url);
  assert.equal(person.status, 200);
  assert.match(person.text, /You are unsubscribed/);
  assert.equal((await leavingsOf(row.email)).length, 1);
  assert.match((await visit(app, url, { 'sec-purpose': 'prefetch' })).text, /You are unsubscribed/);
  assert.equal((await sendForm(app, url, 'action=undo')).status, 409);
  assert.equal((await subscribe(app, newsletter.slug, { email: row.email })).status, 200);
  assert.equal(await statusOf(app, newsletter, row.email), 'pending');
});

test('the link finds who has the address by now, also beside a call that is adding them', async () => {
  const [{ row, url }, other] = [await aReader(), await aReader()];
  await erase(row);
  await aMember(app, newsletter, row.email);
  assert.equal((await sendForm(app, url, ONE_CLICK)).status, 200);
  assert.equal(await statusOf(app, newsletter, row.email), 'unsubscribed');

  await remove(other.row);
  let pressed: ReturnType<typeof sendForm> | undefined;
  await inTransaction(app.db, async (tx) => {
    await awaitLeaving(tx, { workspaceId: app.workspaceId, listId: newsletter.id });
    pressed = sendForm(app, other.url, ONE_CLICK);
    await until('the link waits', async () => {
      const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(app.db);
      return rows.length > 0 ? true : undefined;
    });
    await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
      values (${app.workspaceId}, ${newId()}, ${newsletter.id}, ${other.row.email}, 'active')`.execute(tx);
  });
  assert.equal((await pressed)?.status, 200);
  assert.equal(await statusOf(app, newsletter, other.row.email), 'unsubscribed');
});

test('a link of older mail finds the address by its newest email or a consent; when none is kept, it tells that', async () => {
  const { row } = await aReader();
  const url = `/api/n/unsubscribe?token=${await tokenFor(app, 'nl_unsub', row)}`;
  await remove(row);
  assert.equal((await sendForm(app, url, ONE_CLICK)).status, 200);
  assert.equal((await leavingsOf(row.email)).length, 1);
  const forgetMail = (id: string) =>
    sql`delete from emails where workspace_id = ${app.workspaceId} and subscriber_id = ${id}`.execute(app.db);
  await forgetMail(row.id);

  // A consent has the address as it was typed.
  const typed = `Gone.Other${(made += 1)}@Links.example`;
  await subscribe(app, newsletter.slug, { email: typed });
  const other = await rowOf(app, newsletter, typed.toLowerCase());
  assert.ok(other);
  const ofOther = `/api/n/unsubscribe?token=${await tokenFor(app, 'nl_unsub', other)}`;
  await remove(other);
  await forgetMail(other.id);
  assert.match((await sendForm(app, ofOther, ONE_CLICK)).text, /You are unsubscribed/);
  assert.equal((await leavingsOf(other.email)).length, 1);
  await aMember(app, newsletter, other.email);
  assert.match((await sendForm(app, ofOther, ONE_CLICK)).text, /You are unsubscribed/);
  assert.equal(await statusOf(app, newsletter, other.email), 'unsubscribed', 'who has come again leaves, too');

  const erased = (await aReader()).row;
  const ofErased = `/api/n/unsubscribe?token=${await tokenFor(app, 'nl_unsub', erased)}`;
  await erase(erased);
  await forgetMail(erased.id);
  const before = await leavingsOf(erased.email);
  for (const form of [ONE_CLICK, 'action=leave', 'action=everywhere', ONE_CLICK]) {
    const told = await sendForm(app, ofErased, form);
    assert.equal(told.status, 200, form);
    assert.match(told.text, /This subscription has ended/);
    assert.match(told.text, /no more issues of [^.]*Acme Weekly/);
  }
  assert.match((await visit(app, ofErased)).text, /If an issue still reaches you, use the link in that issue/);
  assert.deepEqual(await leavingsOf(erased.email), before);
});

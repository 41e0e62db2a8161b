import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { systemClock } from '#platform/clock.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { resumeSend } from '#features/outbox';
import type { SystemMail } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import { type Ctx, systemActor } from '#platform/http/context.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { applyProviderEvents } from '../apply-provider-events.ts';
import { feedbackService } from '../feedback-service.ts';
import { createPausedMail } from './paused-mail.ts';

const SECRET = 'a master secret for tests, 32 bytes or more';
const bySystem = { actor: systemActor, ip: '', clock: systemClock };
let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function aMember(workspaceId: string, role: string): Promise<string> {
  const [id, email] = [newId(), `${role}-${newId()}@example.com`];
  await sql`insert into users (id, email) values (${id}, ${email})`.execute(t.db);
  await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${id}, ${role})`.execute(t.db);
  return email;
}

/** A bulk send of 510 that left, and the news that none of these addresses exists; told in two rounds and a bit. */
async function aBouncingSend(workspaceId: string): Promise<string> {
  const { sendId } = await anEmail(t.db, workspaceId, { lane: 2, status: 'queued' });
  await sql`
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, attempts)
    select workspace_id, ph_uuidv7(), send_id, content_id, 'gone-' || n || '@example.com', 2, n, 'sent', 1
      from emails cross join generate_series(1, 510) n where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(
    t.db,
  );
  await sql`
    insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    select workspace_id, ph_uuidv7(), id, 'bounce', recipient, now() - interval '1 minute',
           '{"bounce":{"bounceType":"Permanent","bounceSubType":"General","bouncedRecipients":[{"status":"5.1.1"}]}}'
      from emails where workspace_id = ${workspaceId} and send_id = ${sendId} and status = 'sent'`.execute(t.db);
  return sendId;
}

const isPaused = async (workspaceId: string, sendId: string): Promise<boolean> => {
  const { rows } = await sql<{ paused: boolean }>`
    select paused_at is not null as paused from send_requests
     where workspace_id = ${workspaceId} and id = ${sendId}`.execute(t.db);
  return rows[0]?.paused === true;
};

function aService(send: (mail: SystemMail, tx: Db) => Promise<void>) {
  const errors: string[] = [];
  const log = createLog({ level: 'error', destination: { write: (line) => void errors.push(line) } });
  const { settings } = loadSettings({ POSTHORN_SECRET_KEY: SECRET });
  const secrets = createSecrets(SECRET);
  const sendSystemMail = (ctx: Ctx, mail: SystemMail) => send(mail, ctx.db);
  const pausedMail = createPausedMail({ clock: systemClock, log, settings, secrets, sendSystemMail });
  return {
    errors,
    service: feedbackService({ db: t.db, clock: systemClock, log, readers: { ses: never, mail: never }, pausedMail }),
  };
}
const never = () => {
  throw new Error('there are no notifications');
};

test('each owner gets one mail when a bulk send is paused, in the transaction of the pause', async () => {
  const workspaceId = await aWorkspace(t.db, { name: 'Acme <shop>' });
  const owners = [await aMember(workspaceId, 'owner'), await aMember(workspaceId, 'owner')];
  await aMember(workspaceId, 'developer');
  const sendId = await aBouncingSend(workspaceId);
  const mails: SystemMail[] = [];
  const { service, errors } = aService(async (mail) => {
    assert.equal(await isPaused(workspaceId, sendId), false, 'no other connection sees it yet');
    mails.push(mail);
  });
  await service.runOnce();
  assert.equal(await isPaused(workspaceId, sendId), true);
  await service.runOnce();
  assert.deepEqual(mails.map((mail) => mail.to).sort(), owners.sort());
  assert.deepEqual(errors, []);
  const [mail] = mails;
  assert.equal(mail?.subject, 'A bulk send of Acme <shop> was paused');
  assert.match(mail.text, /500 of 500 addresses/);
  assert.match(mail.text, /The send “[^”]+” from .+ was paused/);
  assert.ok(mail.text.includes(`-X POST http://localhost:3000/v1/send/${sendId}/resume`));
  assert.ok(mail.html.includes('Acme &lt;shop&gt;') && !mail.html.includes('<shop>'));
});

test('the mail about an issue names it, and has the commands of the issue', async () => {
  const workspaceId = await aWorkspace(t.db);
  await aMember(workspaceId, 'owner');
  const sendId = await aBouncingSend(workspaceId);
  const [newsletterId, issueId] = [newId(), newId()];
  await sql`update send_requests set newsletter_id = ${newsletterId}, issue_id = ${issueId}
    where workspace_id = ${workspaceId} and id = ${sendId}`.execute(t.db);
  await sql`update contents c set subject = 'News of October', from_name = 'Acme Weekly'
    from send_requests s where c.workspace_id = ${workspaceId} and s.workspace_id = c.workspace_id
     and s.content_id = c.id and s.id = ${sendId}`.execute(t.db);
  const mails: SystemMail[] = [];
  await aService(async (mail) => void mails.push(mail)).service.runOnce();
  const text = mails[0]?.text ?? '';
  assert.match(text, /The issue “News of October” from Acme Weekly/);
  const at = `http://localhost:3000/v1/newsletters/${newsletterId}/issues/${issueId}`;
  for (const command of [`curl ${at} `, `-X POST ${at}/resume `, `-X POST ${at}/cancel `]) {
    assert.ok(text.includes(command), command);
  }
  assert.ok(!text.includes(`/v1/send/${sendId}`), 'DELETE of the job is refused for an issue');
});

test('a mail that cannot be written is logged, and the pause stands', async () => {
  const workspaceId = await aWorkspace(t.db);
  await aMember(workspaceId, 'owner');
  const sendId = await aBouncingSend(workspaceId);
  const { service, errors } = aService(async () => {
    throw new Error('planted');
  });
  await service.runOnce();
  assert.equal(await isPaused(workspaceId, sendId), true);
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? '', /could not be told/);
});

test('a send whose process died before it was paused is paused by the next look of any process, and told of once', async () => {
  const workspaceId = await aWorkspace(t.db);
  await aMember(workspaceId, 'owner');
  const sendId = await aBouncingSend(workspaceId);
  for (let page = await applyProviderEvents(t.db); page.applied > 0; ) page = await applyProviderEvents(t.db);
  assert.equal(await isPaused(workspaceId, sendId), false, 'its rounds are committed, and nothing else has happened');
  const mails: SystemMail[] = [];
  const { service, errors } = aService(async (mail) => void mails.push(mail));
  assert.equal(await service.runOnce(), 0, 'no further event comes');
  assert.equal(await isPaused(workspaceId, sendId), true);
  await service.runOnce();
  assert.equal(mails.length, 1);
  assert.match(mails[0]?.text ?? '', /510 of 510 addresses/);
  assert.deepEqual(errors, []);
});

test('a process that dies between the pause and its mail leaves both to the next look of any process', async () => {
  const workspaceId = await aWorkspace(t.db);
  await aMember(workspaceId, 'owner');
  const sendId = await aBouncingSend(workspaceId);
  const dying = aService(async (_mail, tx) => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  });
  await assert.rejects(dying.service.runOnce(), /a bulk send could not be paused/);
  assert.equal(await isPaused(workspaceId, sendId), false, 'nothing of it is committed');
  assert.deepEqual(dying.errors, [], 'it is not given up');
  const mails: SystemMail[] = [];
  const { service } = aService(async (mail) => void mails.push(mail));
  await service.runOnce();
  await service.runOnce();
  assert.equal(await isPaused(workspaceId, sendId), true);
  assert.equal(mails.length, 1);
});

test('a send that goes on by itself after such a look is not paused by it again', async () => {
  const workspaceId = await aWorkspace(t.db);
  const sendId = await aBouncingSend(workspaceId);
  const { service } = aService(async () => undefined);
  await service.runOnce();
  await resumeSend({ ...bySystem, db: t.db, workspaceId }, sendId, { byItself: true });
  await service.runOnce();
  assert.equal(await isPaused(workspaceId, sendId), false);
});

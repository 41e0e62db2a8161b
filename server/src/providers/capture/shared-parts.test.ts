/** Copies of a send share what they have in common. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { createDkimKeyPair, loadDkimKey } from '#mail/dkim.ts';
import { finishMessage, prepareContent } from '#mail/message/message.ts';
import { systemClock } from '#platform/clock.ts';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { anOutgoingMessage } from '../../../test/harness/outgoing-message.ts';
import { insertSimulatedEvents as insertEvents } from '../../../test/harness/simulated-events.ts';
import type { EmailProvider, OutgoingMessage } from '../email-provider.ts';
import { createCaptureProvider } from './capture-provider.ts';
import { deleteUnusedChunks } from './chunk-queries.ts';
import { deleteCaptured } from './queries.ts';

const KB = 1024;
const log = createLog({ level: 'silent' });
let database: TestDatabase;
let provider: EmailProvider;

before(async () => {
  database = await createTestDatabase();
  provider = createCaptureProvider({ clock: systemClock, db: database.db, log, insertEvents });
  await provider.start();
});
after(async () => {
  await provider.stop();
  await database.close();
});

async function aWorkspace(): Promise<string> {
  const id = newId();
  await sql`insert into workspaces (id, name, slug) values (${id}, 'Shop', ${id})`.execute(database.db);
  return id;
}

const pair = await createDkimKeyPair();
const key = loadDkimKey('acme.test', 'ph1', pair.privateKey);

/** A send with one file, composed and signed for each recipient. */
function aSend(workspaceId: string, file: Buffer): (to: string) => Promise<OutgoingMessage> {
  const content = prepareContent({
    from: parseMailbox('Acme <hello@acme.test>'),
    replyTo: [],
    subject: 'Report',
    headers: {},
    inReplyTo: null,
    html: '<p>Hi</p>',
    text: 'Hi',
    attachments: [
      {
        filename: 'report.bin',
        contentType: 'application/octet-stream',
        contentId: null,
        disposition: 'attachment',
        body: file,
      },
    ],
  });
  return async (to) => {
    const emailId = newId();
    const recipient = { to: [parseMailbox(to)], messageId: `<${emailId}@acme.test>`, date: new Date() };
    const mime = await finishMessage(content, recipient, key);
    return anOutgoingMessage({ workspaceId, emailId, mime, envelope: { from: 'hello@acme.test', to: [to] } });
  };
}

async function capture(messages: readonly OutgoingMessage[], by = provider): Promise<void> {
  const verdicts = await Promise.all(messages.map((message) => by.send(message, { deadlineMs: 30_000 })));
  assert.deepEqual(new Set(verdicts.map((verdict) => verdict.kind)), new Set(['accepted']));
}

async function captured({ workspaceId, emailId }: OutgoingMessage): Promise<Buffer | undefined> {
  const { rows } = await sql<{ mime: Buffer }>`
    select ph_captured_mime(workspace_id, id, mime) as mime from captured_emails
     where workspace_id = ${workspaceId} and email_id = ${emailId}`.execute(database.db);
  return rows[0]?.mime;
}

async function bytesOf(workspaceId: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select (select coalesce(sum(octet_length(mime)), 0) from captured_emails where workspace_id = ${workspaceId})
         + (select coalesce(sum(octet_length(bytes)), 0) from captured_chunks where workspace_id = ${workspaceId})
         as bytes`.execute(database.db);
  return Number(rows[0]?.bytes);
}

test('50 copies of a file of 200 KB take less than two, and each is byte for byte the one handed over', async () => {
  const workspaceId = await aWorkspace();
  const compose = aSend(workspaceId, randomBytes(200 * KB));
  const messages = await Promise.all(Array.from({ length: 50 }, (_, n) => compose(`p${n}@example.net`)));
  await capture(messages);
  for (const message of messages) assert.ok((await captured(message))?.equals(message.mime));
  const bytes = await bytesOf(workspaceId);
  assert.ok(bytes < 2 * (messages[0]?.mime.length ?? 0), `${bytes} bytes`);
});

test('the signature of a captured message with a file verifies', async () => {
  const message = await aSend(await aWorkspace(), randomBytes(600 * KB))('ada@example.net');
  await capture([message]);
  const { results } = await dkimVerify((await captured(message)) ?? '', {
    resolver: () => Promise.resolve([[`v=DKIM1; k=rsa; p=${pair.publicKey}`]]),
  });
  assert.deepEqual(
    results.map(({ status }) => status.result),
    ['pass'],
  );
});

test('a workspace shares nothing with another', async () => {
  const file = randomBytes(20 * KB);
  const [ours, theirs] = [await aWorkspace(), await aWorkspace()];
  for (const workspaceId of [ours, theirs]) await capture([await aSend(workspaceId, file)('ada@example.net')]);
  assert.equal(await bytesOf(ours), await bytesOf(theirs));
});

test('parts stay while a message uses them, and go with the last one', async () => {
  const workspaceId = await aWorkspace();
  const compose = aSend(workspaceId, randomBytes(20 * KB));
  const [ada, bob] = [await compose('ada@example.net'), await compose('bob@example.net')];
  await capture([ada, bob]);
  await deleteCaptured(database.db, workspaceId, [ada.emailId]);
  assert.equal(await captured(ada), undefined);
  assert.ok((await captured(bob))?.equals(bob.mime));
  await deleteCaptured(database.db, workspaceId, [bob.emailId]);
  assert.equal(await bytesOf(workspaceId), 0);
});

test('a part that is being used again while it is removed does not vanish', async () => {
  const workspaceId = await aWorkspace();
  const compose = aSend(workspaceId, randomBytes(20 * KB));
  const first = await compose('ada@example.net');
  await capture([first]);
  const { rows } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from captured_chunks where workspace_id = ${workspaceId}`.execute(database.db);
  const again = await compose('bob@example.net');
  const { capturing } = await inTransaction(database.db, async (tx) => {
    await deleteCaptured(tx, workspaceId, [first.emailId]);
    const begun = { capturing: capture([again]) };
    await waitingForLock();
    return begun;
  });
  await capturing;
  assert.ok((await captured(again))?.equals(again.mime), 'it was stored anew');
  await deleteUnusedChunks(
    database.db,
    workspaceId,
    rows.map((row) => row.hash),
  );
  assert.ok((await captured(again))?.equals(again.mime));
});

test('any number of captures and removals at once lose no byte', async () => {
  const workspaceId = await aWorkspace();
  const compose = aSend(workspaceId, randomBytes(20 * KB));
  const other = createCaptureProvider({ clock: systemClock, db: database.db, log, insertEvents });
  await other.start();
  const rounds = async (by: EmailProvider): Promise<void> => {
    for (let n = 0; n < 8; n += 1) {
      const message = await compose('ada@example.net');
      await capture([message], by);
      assert.ok((await captured(message))?.equals(message.mime));
      await deleteCaptured(database.db, workspaceId, [message.emailId]);
    }
  };
  await Promise.all([rounds(provider), rounds(provider), rounds(other), rounds(other)]);
  await other.stop();
});

async function waitingForLock(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::integer as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
    if ((rows[0]?.waiting ?? 0) > 0) return;
  }
}

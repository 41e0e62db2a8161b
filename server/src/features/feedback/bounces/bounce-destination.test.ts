import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { formatVerp } from '#mail/returned/verp.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import type { SmtpListener } from '#platform/smtp/smtp-listener.ts';
import { startBreakableProxy } from '../../../../test/harness/breakable-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { aMailListener } from '../../../../test/harness/mail-listener.ts';
import { converse, type SmtpConversation } from '../../../../test/harness/smtp-conversation.ts';
import { bounceDestination } from './bounce-destination.ts';
import { arf, dsn, EMAIL, fields, RETURNED, wire } from './test-kit.ts';

const log = createLog({ level: 'silent' });
const secrets = createSecrets('a master key of thirty-two characters or more');
const own = `${formatVerp(EMAIL, secrets.key('return path'))}@bounces.example.com`;
const bounce = wire(dsn({ fields: fields('5.1.1', 'smtp; 550 no') }));
const about = (returnPath: string): Buffer =>
  wire(arf({ fields: '', returned: RETURNED.replace(/Return-Path: <.*>/, `Return-Path: <${returnPath}>`) }));

let t: TestDatabase;
let listener: SmtpListener;
before(async () => {
  t = await createTestDatabase();
  listener = await listening(t.db);
});
after(async () => {
  await listener.stop();
  await t.close();
});
beforeEach(() => sql`truncate provider_notifications`.execute(t.db));

async function listening(db: TestDatabase['db']): Promise<SmtpListener> {
  const made = aMailListener([bounceDestination({ db, secrets, settings: { bounceDomain: 'Bounces.Example.com' } })]);
  await made.start();
  return made;
}

async function greeted(to = listener): Promise<SmtpConversation> {
  const socket = createConnection(to.port, '127.0.0.1');
  await once(socket, 'connect');
  const one = converse(socket);
  await one.reply();
  await one.say('EHLO mx.example.net');
  assert.match(await one.say('MAIL FROM:<> SIZE=1000'), /^250/);
  return one;
}

/** Hands a message over and says goodbye; the answer to the first thing that was refused, or to the message. */
async function deliver(to: readonly string[], raw: Buffer, at = listener): Promise<string> {
  const one = await greeted(at);
  let answer = '';
  for (const address of to) {
    answer = await one.say(`RCPT TO:<${address}>`);
    if (!answer.startsWith('250')) break;
  }
  if (answer.startsWith('250')) {
    await one.say('DATA');
    answer = await one.say(Buffer.concat([raw, Buffer.from('\r\n.\r\n')]));
  }
  one.socket.destroy();
  return answer;
}

const stored = async (): Promise<{ source: string; envelope_to: string; body: Buffer }[]> => {
  const { rows } = await sql<{ source: string; envelope_to: string; body: Buffer }>`
    select source, envelope_to, body from provider_notifications order by envelope_to`.execute(t.db);
  return rows;
};

test('250 when a bounce is stored, as it came', async () => {
  assert.match(await deliver([own], bounce), /^250/);
  const [one, ...others] = await stored();
  assert.deepEqual([one?.source, one?.envelope_to, others.length], ['mail', own, 0]);
  assert.equal(one?.body.toString(), `${bounce.toString()}\r\n`);
});

test('a repeated delivery is stored once, in whatever case its address is written', async () => {
  for (const address of [own, own.toUpperCase(), own]) assert.match(await deliver([address], bounce), /^250/);
  assert.equal((await stored()).length, 1);
});

test('one message to several return paths is stored for each', async () => {
  const other = `${formatVerp({ ...EMAIL, emailId: EMAIL.workspaceId }, secrets.key('return path'))}@bounces.example.com`;
  assert.match(await deliver([own, other], bounce), /^250/);
  assert.deepEqual((await stored()).map((one) => one.envelope_to).sort(), [own, other].sort());
});

const nobody: Record<string, string> = {
  'a person': 'postmaster@bounces.example.com',
  'a return path with a letter changed': own.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@')),
  'a return path at another domain': own.replace('@bounces.', '@other.'),
  'a return path at a domain below': own.replace('@', '@x.'),
  'a return path with a label': own.replace('@', '+x@'),
  'a stranger': 'ada@example.net',
};
for (const [what, address] of Object.entries(nobody))
  test(`550 for ${what}, and nothing is stored`, async () => {
    assert.match(await deliver([address], bounce), /^550 5\.[17]\.1 /);
    assert.deepEqual(await stored(), []);
  });

test('a feedback report is taken when it returns mail of ours, and refused when not', async () => {
  const loop = ['feedback@bounces.example.com'];
  assert.match(await deliver(loop, about(own)), /^250/);
  assert.equal((await stored()).length, 1);
  assert.match(await deliver(loop, about('x@bounces.example.com')), /^550/);
  assert.match(await deliver(loop, about(`${'b'.repeat(64)}@bounces.example.com`)), /^550/);
  assert.equal((await stored()).length, 1);
});

test('451 while the database is away, and nothing is lost when it is back', async () => {
  const proxy = await startBreakableProxy(t.url);
  const away = openDatabase({ url: proxy.url, poolMax: 1, applicationName: 'away', log });
  const at = await listening(away.db);
  try {
    await proxy.breakDown();
    assert.match(await deliver([own], bounce, at), /^451/);
    assert.deepEqual(await stored(), []);
    await proxy.mend();
    assert.match(await deliver([own], bounce, at), /^250/);
    assert.equal((await stored()).length, 1);
  } finally {
    await at.stop();
    await away.close();
    await proxy.close();
  }
});

test('without a bounce domain no address belongs to it', async () => {
  const find = bounceDestination({ db: t.db, secrets, settings: { bounceDomain: null } });
  assert.equal(await find(own), undefined);
});

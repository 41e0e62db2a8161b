/**
 * The whole of Posthorn in front of Amazon SES as the wire knows it: credentials from the environment, messages with
 * their tags, the rate and the quota of the account, and what each kind of trouble means for an email.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type FakeSes, startFakeSes } from '../harness/fake-ses.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';
import { SES_ERRORS } from '../harness/ses-faults.ts';

const FROM = 'Acme <hello@posthorn.test>';
let database: TestDatabase;
let ses: FakeSes;
let posthorn: PosthornProcess;

const envOf = (endpoint: string) => ({
  POSTHORN_PROVIDER_URL: 'ses://eu-central-1?configurationSet=posthorn&connections=8',
  POSTHORN_SES_ENDPOINT: endpoint,
  POSTHORN_SEND_RATE: '200',
  POSTHORN_PROVIDER_CEILING: '1000',
  AWS_EC2_METADATA_DISABLED: 'true',
});

before(async () => {
  database = await createTestDatabase();
  ses = await startFakeSes({ account: { maxSendRate: 100 } });
  posthorn = await startProcess({
    databaseUrl: database.url,
    env: { ...envOf(ses.endpoint), AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalr' },
  });
});
after(async () => {
  await posthorn?.stop();
  await ses?.stop();
  await database?.close();
});
beforeEach(() => recover());

/** The actions of an operator and ten minutes. */
async function recover(): Promise<void> {
  ses.setFaults(undefined);
  await sql`update send_pace set paused_until = null, pause_reason = null, stretch = 1, stretched_at = null`.execute(
    database.db,
  );
  await sql`update emails set not_before = now() where status = 'deferred'`.execute(database.db);
}

/** A test reads fields of many shapes. */
async function send(to: string, more: object = {}): Promise<any> {
  const body = { from: FROM, to, subject: 'Hello', text: 'Hello Ada', ...more };
  const answer = await posthorn.fetch('/v1/send', { body });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  return answer.body;
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(performance.now() - startedMs < 30_000, `${what} did not come; ${posthorn.output()}`);
    await new Promise(setImmediate);
  }
}

const emailIn = (id: string, status: string): Promise<any> =>
  until(`email ${id} as ${status}`, async () => {
    const { body } = (await posthorn.fetch(`/v1/emails/${id}`)) as { body: any };
    return body.status === status ? body : undefined;
  });
const pausedFor = (pattern: RegExp): Promise<any> =>
  until(`a pause for ${pattern}`, async () => {
    const { body } = (await posthorn.fetch('/v1/queue')) as { body: any };
    return pattern.test(body.pause_reason ?? '') ? body : undefined;
  });
const idOf = (sent: any): string => sent.emails?.[0]?.id ?? sent.id;
const copiesOf = (id: string) => ses.messages.filter((message) => message.tags['posthorn_email'] === id);

test('an accepted email reaches SES once, signed for the region, with its tags and its own From', async () => {
  const id = idOf(await send('ada@example.net'));
  await emailIn(id, 'sent');
  const [copy, ...more] = copiesOf(id);
  assert.equal(more.length, 0);
  assert.match(copy?.tags['posthorn_workspace'] ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(copy?.configurationSet, 'posthorn');
  assert.match(copy?.mime.toString() ?? '', /^From: Acme <hello@posthorn\.test>\r$/m);
  assert.match(String(ses.requests.at(-1)?.headers.authorization), /AKIAEXAMPLE\/\d{8}\/eu-central-1\/ses\//);
  const { rows } = await sql<{ id: string }>`select provider_message_id as id from emails where id = ${id}`.execute(
    database.db,
  );
  assert.equal(rows[0]?.id, copy?.messageId);
});

test('a blind copy is delivered and stands in no header', async () => {
  const id = idOf(await send('ada@example.net', { bcc: ['blind@example.org'] }));
  await emailIn(id, 'sent');
  const [copy] = copiesOf(id);
  assert.deepEqual(copy?.to, ['ada@example.net', 'blind@example.org']);
  assert.ok(!copy?.mime.includes('blind@'));
});

test('422 for headers that SES would take as orders; nothing of them reaches it', async () => {
  for (const name of ['X-SES-MESSAGE-TAGS', 'x-ses-configuration-set', 'X-SES-RETURN-PATH-ARN']) {
    const body = { from: FROM, to: 'ada@example.net', subject: 's', text: 't', headers: { [name]: 'a=b' } };
    assert.equal((await posthorn.fetch('/v1/send', { body })).status, 422, name);
  }
  assert.ok(!ses.messages.some((message) => /^x-ses-/im.test(message.mime.toString())));
});

test('the rate is that of the account when it is lower than the setting, and never above the setting', async () => {
  const rate = async () => ((await posthorn.fetch('/v1/queue')) as { body: any }).body.ratePerSecond as number;
  await until('the rate of the account', async () => ((await rate()) === 100 ? true : undefined));
});

test('a recipient that the sandbox refuses has failed, with the words of SES', async () => {
  ses.setFaults({ rules: [SES_ERRORS.unverifiedRecipient] });
  const id = idOf(await send('ada@example.net'));
  const email = await emailIn(id, 'failed');
  assert.match(JSON.stringify(email), /Email address is not verified\. The following identities failed the check/);
  assert.equal(copiesOf(id).length, 0);
});

for (const [what, fault, reason] of [
  ['expired credentials', SES_ERRORS.expiredToken, /^credentials: ExpiredTokenException/],
  ['a clock that is wrong', SES_ERRORS.skew, /^credentials: RequestTimeTooSkewed/],
  ['a paused account', SES_ERRORS.paused, /^account: SendingPausedException/],
  ['a configuration set that is gone', SES_ERRORS.noConfigurationSet, /^account: NotFoundException/],
  ['the quota of the day', SES_ERRORS.quota, /^quota: .*Daily message quota exceeded/],
] as const) {
  test(`${what}: everything waits with the reason, nothing has failed, and it goes on afterwards`, async () => {
    ses.setFaults({ rules: [fault] });
    const id = idOf(await send('ada@example.net'));
    const queue = await pausedFor(reason);
    assert.ok(queue.paused_until !== null);
    await until('the email back in the queue', async () => {
      const { rows } = await sql<{ status: string }>`select status from emails where id = ${id}`.execute(database.db);
      assert.ok(['queued', 'deferred', 'sending'].includes(rows[0]?.status ?? ''), rows[0]?.status);
      return rows[0]?.status === 'sending' ? undefined : true;
    });
    await recover();
    await emailIn(id, 'sent');
    assert.equal(copiesOf(id).length, 1);
  });
}

test('throttled: slower, not failed, sent once', async () => {
  ses.setFaults({ rules: [{ ...SES_ERRORS.rate, times: 1 }] });
  const id = idOf(await send('ada@example.net'));
  await emailIn(id, 'sent');
  assert.equal(copiesOf(id).length, 1);
});

test('taken, and the answer lost: unconfirmed, and one copy', async () => {
  ses.setFaults({ rules: [{ act: 'take-and-drop', times: 1 }] });
  const id = idOf(await send('ada@example.net'));
  await emailIn(id, 'unconfirmed');
  assert.equal(copiesOf(id).length, 1);
});

test('200 and a login page: unconfirmed, with an alarm', async () => {
  ses.setFaults({ rules: [{ act: 'answer', status: 200, body: '<html>Please sign in</html>', times: 1 }] });
  const id = idOf(await send('ada@example.net'));
  await emailIn(id, 'unconfirmed');
  assert.match(posthorn.output(), /200 without a MessageId: <html>/);
});

test('without credentials it starts, accepts, and says what is missing', async () => {
  const own = await createTestDatabase();
  // Of its own, too: that of the others may be asked by their process at any time.
  const unasked = await startFakeSes();
  const env = { ...envOf(unasked.endpoint), HOME: '/nonexistent' };
  const started = await startProcess({ databaseUrl: own.url, env });
  try {
    const body = { from: FROM, to: 'ada@example.net', subject: 's', text: 't' };
    assert.equal((await started.fetch('/v1/send', { body })).status, 202);
    await until('the pause', async () => {
      const queue = (await started.fetch('/v1/queue')) as { body: any };
      const reason = String(queue.body.pause_reason);
      return reason.startsWith('credentials: no credentials for Amazon SES') ? true : undefined;
    });
    assert.equal(unasked.requests.length, 0, 'nothing was asked');
  } finally {
    await started.stop();
    await unasked.stop();
    await own.close();
  }
});

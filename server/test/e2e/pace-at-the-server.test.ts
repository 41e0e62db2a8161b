/**
 * The pace and the stops of mail, as the other side sees them: at MAIL FROM of a real SMTP server, at the head of a
 * request to Amazon SES, while it answers at once and after it stood still.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { addSuppressions } from '#features/suppressions';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { startFakeSes } from '../harness/fake-ses.ts';
import { startSmtpSink } from '../harness/smtp-sink.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';
import { type WatchedPace, watchPace } from '../harness/watched-pace.ts';

const RATE = 12;
const HELD_MS = 1_500;

const people = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, n) => `${name}-${n}@example.com`);

async function started(t: TestContext, env: Record<string, string>, pace?: WatchedPace): Promise<TestApp> {
  const api = await createTestApp({ worker: true, env, ...(pace === undefined ? {} : { workerDb: pace.db }) });
  undoAfter(t, () => api.close());
  return api;
}

async function accepted(api: TestApp, to: string[]): Promise<string> {
  const { status, body } = await api.request({
    url: '/v1/send',
    body: { from: 'shop@posthorn.test', to, subject: 'Hello', text: 'Hello' },
  });
  assert.equal(status, 202);
  return (body as { jobId: string }).jobId; // checked against the document by the harness
}

const over = (api: TestApp) =>
  until('the end of the queue', async () => {
    const { rows } = await sql`select from emails where status in ('queued', 'sending', 'deferred') limit 1`.execute(
      api.db,
    );
    return rows.length === 0 ? true : undefined;
  });

test('an SMTP server that held its answers sees no burst when it gives them', async (t) => {
  const sink = await startSmtpSink();
  undoAfter(t, () => sink.stop());
  const pace = watchPace(t, RATE);
  const api = await started(
    t,
    { POSTHORN_PROVIDER_URL: `${sink.url}?connections=5`, POSTHORN_SEND_RATE: String(RATE) },
    pace,
  );
  const held = api.clock.sleep(HELD_MS);
  sink.setFaults({ rules: [{ at: 'dot', act: 'hold', until: held }] });
  await accepted(api, people(24, 'held'));
  await held;
  await sink.waitFor(24);
  const begun = sink.messages.map((message) => message.begunMs);
  pace.assertKept(begun);
  assert.equal(new Set(sink.messages.flatMap((message) => message.to)).size, 24);
});

test('Amazon SES that held its answers sees no burst of requests when it gives them', async (t) => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalr' });
  const ses = await startFakeSes();
  undoAfter(t, () => ses.stop());
  const pace = watchPace(t, RATE);
  const env = {
    POSTHORN_PROVIDER_URL: 'ses://us-east-1?configurationSet=posthorn&connections=5',
    POSTHORN_SES_ENDPOINT: ses.endpoint,
    POSTHORN_SEND_RATE: String(RATE),
  };
  const api = await started(t, env, pace);
  const held = api.clock.sleep(HELD_MS);
  ses.setFaults({ rules: [{ act: 'hold', until: held }] });
  await accepted(api, people(24, 'held'));
  await held;
  await over(api);
  const begun = ses.requests.filter(({ operation }) => operation === 'SendEmail').map(({ begunMs }) => begunMs);
  assert.equal(begun.length, 24);
  pace.assertKept(begun);
});

test('while a server stands still no more has begun than it has connections, and nothing that is stopped then begins', async (t) => {
  const sink = await startSmtpSink();
  undoAfter(t, () => sink.stop());
  const api = await started(t, {
    POSTHORN_PROVIDER_URL: `${sink.url}?connections=5`,
    POSTHORN_SEND_RATE: '500',
    POSTHORN_PROVIDER_CEILING: '500',
  });
  let letGo = (): void => undefined;
  sink.setFaults({ rules: [{ at: 'dot', act: 'hold', until: new Promise<void>((resolve) => (letGo = resolve)) }] });
  const [suppressed, cancelled] = [people(35, 'suppressed'), people(35, 'cancelled')];
  await accepted(api, suppressed);
  const cancelling = await accepted(api, cancelled);
  const begun = (): string[] =>
    sink.commands.filter((line) => line.startsWith('RCPT')).map((line) => /<(.*)>/.exec(line)?.[1] ?? '');
  await until('a standstill', async () => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::integer as n from emails where handoff_at is not null`.execute(api.db);
    return rows[0]?.n === 5 && begun().length === 5 ? true : undefined;
  });
  await api.clock.sleep(100);
  const before = begun();
  assert.equal(before.length, 5);
  await addSuppressions(
    api.db,
    suppressed.map((identity) => ({ workspaceId: api.workspaceId, identity, reason: 'manual' as const })),
  );
  const { body } = await api.request({ method: 'DELETE', url: `/v1/send/${cancelling}` });
  assert.partialDeepStrictEqual(body, { cancelled: 35, alreadySent: 0 });
  letGo();
  await over(api);
  assert.deepEqual(begun(), before, 'something began after the answers');
});

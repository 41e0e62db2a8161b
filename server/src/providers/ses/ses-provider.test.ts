import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { type FakeSes, type FakeSesOptions, startFakeSes } from '../../../test/harness/fake-ses.ts';
import { anOutgoingMessage } from '../../../test/harness/outgoing-message.ts';
import { selfSignedCertificate } from '../../../test/harness/self-signed-certificate.ts';
import { SES_ERRORS, type SesFaultAct } from '../../../test/harness/ses-faults.ts';
import { RAW_MIMES } from '../../../test/harness/raw-messages.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import type { EmailProvider, OutgoingMessage, Verdict } from '../email-provider.ts';
import { conformance } from '../email-provider.conformance.ts';
import { createSesProvider, type SesProviderOptions } from './ses-provider.ts';

const logged: string[] = [];
const log = createLog({ level: 'debug', destination: { write: (line: string) => void logged.push(line) } });
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
const settingsFor = (endpoint: string) => ({
  region: 'us-east-1',
  configurationSet: 'posthorn',
  connections: 4,
  endpoint,
});
const withFrom = (change: Partial<OutgoingMessage> = {}): OutgoingMessage =>
  anOutgoingMessage({
    mime: Buffer.from('From: Shop <shop@example.com>\r\nTo: ada@example.net\r\nSubject: Hello\r\n\r\nHello Ada\r\n'),
    ...change,
  });

after(() => {
  for (const secret of ['Hello Ada', 'wJalrXUtnFEMI'])
    assert.ok(!logged.some((line) => line.includes(secret)), `${secret} was logged`);
});

conformance('ses', async () => {
  const ses = await startFakeSes();
  return {
    provider: createSesProvider(settingsFor(ses.endpoint), { log, credentials }),
    message: withFrom,
    received: () => Promise.resolve([...ses.messages]),
    stall: () => {
      ses.setFaults({ rules: [{ act: 'hang' }] });
      return Promise.resolve(() => Promise.resolve(ses.setFaults(undefined)));
    },
    close: () => ses.stop(),
  };
});

interface Stage {
  ses: FakeSes;
  provider: EmailProvider;
  send(change?: Partial<OutgoingMessage>, deadlineMs?: number): Promise<Verdict>;
}

async function stageWith(
  t: TestContext,
  fake: FakeSesOptions = {},
  options: Partial<SesProviderOptions> = {},
  connections = 4,
): Promise<Stage> {
  const ses = await startFakeSes(fake);
  const settings = { ...settingsFor(ses.endpoint), connections };
  const provider = createSesProvider(settings, { log, credentials, ...options });
  await provider.start();
  undoAfter(t, () => ses.stop());
  undoAfter(t, () => provider.stop());
  return { ses, provider, send: (change, deadlineMs = 5_000) => provider.send(withFrom(change), { deadlineMs }) };
}

const faultOf = (t: TestContext, fault: SesFaultAct): Promise<Stage> => stageWith(t, { faults: { rules: [fault] } });

test('a message carries its workspace, its id and the configuration set; blind copies are only in the envelope', async (t) => {
  const { ses, send } = await stageWith(t);
  const to = ['ada@example.net', 'blind@example.net'];
  const verdict = await send({ envelope: { from: 'shop@example.com', to }, emailId: 'e-1', workspaceId: 'w-1' });
  const [message] = ses.messages;
  assert.partialDeepStrictEqual(verdict, { kind: 'accepted', providerMessageId: message?.messageId });
  assert.deepEqual(message?.tags, { posthorn_workspace: 'w-1', posthorn_email: 'e-1' });
  assert.equal(message?.configurationSet, 'posthorn');
  assert.deepEqual(message?.to, to);
  assert.ok(message?.mime.equals(withFrom().mime), 'the headers, From with its name among them, are untouched');
  assert.ok(!message?.mime.includes('blind@'));
});

test('a message that somebody else composed arrives as it is, with its Message-ID and its recipients of the envelope', async (t) => {
  const { ses, send } = await stageWith(t);
  for (const [name, mime] of Object.entries(RAW_MIMES)) {
    assert.equal((await send({ mime, messageId: '<4711@client.acme.test>' })).kind, 'accepted', name);
    const message = ses.messages.at(-1);
    assert.ok(message?.mime.equals(mime), name);
    assert.deepEqual(message?.to, withFrom().envelope.to);
  }
});

test('requests are signed for ses in the region of the URL', async (t) => {
  const { ses, send } = await stageWith(t);
  await send();
  assert.match(String(ses.requests[0]?.headers.authorization), /AKIAEXAMPLE\/\d{8}\/us-east-1\/ses\/aws4_request/);
});

test('each error of SES is asked for once: nobody repeats it behind our back', async (t) => {
  for (const error of [SES_ERRORS.rate, SES_ERRORS.internal, SES_ERRORS.unavailable, SES_ERRORS.expiredToken]) {
    const { ses, send } = await faultOf(t, error);
    assert.equal((await send()).kind, 'temporary');
    assert.equal(ses.requests.length, 1);
    assert.equal(ses.count, 0);
  }
});

test('an answer that is none, an error page or a login page, is judged although the SDK cannot read it', async (t) => {
  for (const [status, kind] of [
    [200, 'unknown'],
    [502, 'unknown'],
    [503, 'temporary'],
    [302, 'temporary'],
  ] as const) {
    const { send } = await faultOf(t, { act: 'answer', status, body: '<html>hello</html>' });
    assert.equal((await send()).kind, kind, String(status));
  }
  const { send } = await faultOf(t, { act: 'take-and-answer', status: 200, body: '{"MessageId":""}' });
  assert.equal((await send()).kind, 'unknown');
});

test('a connection that ends once the request has begun leaves it unknown, taken or not', async (t) => {
  for (const act of ['take-and-drop', 'drop'] as const) {
    const { ses, send } = await faultOf(t, { act });
    const verdict = await send();
    assert.equal(verdict.kind, 'unknown', act);
    assert.equal(ses.count, act === 'drop' ? 0 : 1);
  }
});

test('no answer by the deadline is unknown', async (t) => {
  const { ses, send } = await faultOf(t, { act: 'take-and-hang' });
  const startedMs = systemClock.monotonicMs();
  assert.equal((await send({}, 1_000)).kind, 'unknown');
  assert.ok(systemClock.monotonicMs() - startedMs < 10_000, 'who waited for the answer would wait for ever');
  assert.equal(ses.count, 1);
});

test('a message that waits for a connection until its deadline was certainly not taken', async (t) => {
  const { ses, send } = await stageWith(t, { faults: { rules: [{ act: 'hang', times: 1 }] } }, {}, 1);
  const arrived = ses.nextRequest();
  const first = send({}, 2_000);
  await arrived;
  const verdict = await send({}, 100);
  assert.equal(verdict.kind, 'temporary');
  assert.equal((await first).kind, 'unknown');
  assert.equal(ses.requests.length, 1, 'the one that waited never left');
});

test('stop gives back what waits for a connection, and lets what is on its way come to its end', async (t) => {
  const { ses, provider, send } = await stageWith(t, { faults: { rules: [{ act: 'slow', ms: 100 }] } }, {}, 1);
  const arrived = ses.nextRequest();
  const first = send();
  await arrived;
  const second = send();
  await provider.stop();
  assert.deepEqual([(await first).kind, (await second).kind], ['accepted', 'temporary']);
  assert.equal(ses.count, 1);
});

test('a refused connection, a name that is none and a certificate that is not theirs are temporary', async (t) => {
  const gone = await startFakeSes();
  await gone.stop();
  const tls = await startFakeSes({ tls: selfSignedCertificate() });
  undoAfter(t, () => tls.stop());
  for (const endpoint of [gone.endpoint, 'http://ses.invalid', tls.endpoint]) {
    const provider = createSesProvider(settingsFor(endpoint), { log, credentials });
    await provider.start();
    const verdict = await provider.send(withFrom(), { deadlineMs: 5_000 });
    assert.partialDeepStrictEqual(verdict, { kind: 'temporary', code: null, throttled: false }, endpoint);
    await provider.stop();
  }
  assert.equal(tls.requests.length, 0);
});

test('over TLS nothing is written before the other side has proven who it is, and then it is sent', async (t) => {
  const certificate = selfSignedCertificate();
  const { ses, send } = await stageWith(t, { tls: certificate }, { ca: certificate.cert });
  assert.equal((await send()).kind, 'accepted');
  assert.equal((await send()).kind, 'accepted', 'over the kept connection, too');
  assert.equal(ses.connections, 1);
});

test('a handshake that never ends is temporary at the deadline: no byte of the message went out', async (t) => {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  assert.ok(typeof address === 'object' && address !== null);
  const provider = createSesProvider(settingsFor(`https://127.0.0.1:${address.port}`), { log, credentials });
  undoAfter(t, () => silent.close());
  undoAfter(t, () => provider.stop());
  await provider.start();
  assert.equal((await provider.send(withFrom(), { deadlineMs: 200 })).kind, 'temporary');
});

test('a message that found no free connection has not begun: Amazon SES is only busy', async (t) => {
  const { ses, provider, send } = await stageWith(t, { faults: { rules: [{ act: 'hang' }] } }, {}, 1);
  const slow = send({}, 1_000);
  const gate = { mayBegin: async () => systemClock.monotonicMs() + 5_000, isOnRecord: async () => true };
  const verdict = await provider.send(withFrom({ emailId: 'waits' }), { deadlineMs: 200, gate });
  assert.equal(verdict.kind, 'not-begun');
  assert.equal((await slow).kind, 'unknown');
  assert.equal(ses.requests.length, 1);
});

test('a process that stood still past the deadline does not begin', async (t) => {
  let nowMs = 0;
  // The first look is the call; the next one is at the last moment before the first byte.
  const clock = { ...systemClock, monotonicMs: () => (nowMs += 10_000) };
  const { ses, send } = await stageWith(t, {}, { clock });
  const verdict = await send();
  assert.equal(verdict.kind, 'temporary');
  assert.equal(ses.requests.length, 0);
});

test('credentials that cannot be had are temporary with code 403: everything waits, nothing is asked', async (t) => {
  const failing = () => Promise.reject(Object.assign(new Error('no'), { name: 'CredentialsProviderError' }));
  const { ses, send } = await stageWith(t, {}, { credentials: failing });
  assert.partialDeepStrictEqual(await send(), { kind: 'temporary', code: 403 });
  assert.equal(ses.requests.length, 0);
});

test('credentials that take too long are temporary at the deadline, and nothing is sent when they come', async (t) => {
  const { promise, resolve } = Promise.withResolvers<typeof credentials>();
  const { ses, send } = await stageWith(t, {}, { credentials: () => promise });
  assert.partialDeepStrictEqual(await send({}, 100), { kind: 'temporary', code: null });
  resolve(credentials);
  assert.equal((await send()).kind, 'accepted');
  assert.equal(ses.count, 1, 'only the second one was sent');
});

test('a kept connection is used again, and one that was closed while idle costs nothing', async (t) => {
  const { ses, send } = await stageWith(t);
  await send();
  assert.equal((await send()).kind, 'accepted');
  assert.equal(ses.connections, 1);
  await ses.dropIdle();
  assert.equal((await send()).kind, 'accepted');
  assert.equal(ses.connections, 2);
});

test('trouble that meets every message is logged once, and so is its end', async (t) => {
  const before = logged.length;
  const { send, ses } = await faultOf(t, SES_ERRORS.unknownKey);
  await send();
  await send();
  ses.setFaults(undefined);
  await send();
  const said = logged.slice(before).filter((line) => line.includes('Amazon SES'));
  assert.equal(said.length, 2, said.join());
});

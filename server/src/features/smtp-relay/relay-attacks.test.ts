/** Clients that break the rules on purpose: nothing of theirs is stored, and the relay stays as quick as before. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { rawMime } from '../../../test/harness/raw-messages.ts';
import { connectRelay, type RelayClient, relayClient } from '../../../test/harness/relay-client.ts';
import { converse, type SmtpConversation } from '../../../test/harness/smtp-conversation.ts';
import { until } from '../../../test/harness/until.ts';

let api: TestApp;
const sockets: Socket[] = [];
before(async () => {
  api = await createTestApp({ relay: true, env: { POSTHORN_SMTP_RELAY_PER_MINUTE: '0' } });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
after(() => api.close());

const keep = <C extends SmtpConversation>(client: C): C => {
  sockets.push(client.socket);
  return client;
};
const signedIn = async (): Promise<RelayClient> => keep(await relayClient(api.relayPort, api.key));
const anonymous = async (): Promise<RelayClient> => keep(await connectRelay(api.relayPort));
async function raw(): Promise<SmtpConversation> {
  const socket = createConnection(api.relayPort, '127.0.0.1');
  await once(socket, 'connect');
  return keep(converse(socket));
}
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const emails = async (): Promise<string[]> => {
  const { rows } = await sql<{ recipient: string }>`select recipient from emails
    where workspace_id = ${api.workspaceId}`.execute(api.db);
  return rows.map(({ recipient }) => recipient);
};
/** Nothing that `work` does leaves an email behind. */
async function storingNothing(work: () => Promise<void>): Promise<void> {
  const stored = (await emails()).length;
  await work();
  assert.equal((await emails()).length, stored);
}
let made = 0;
const fresh = (fields: readonly string[] = [], body = 'Hello\r\n'): string =>
  rawMime(body, { fields })
    .toString('latin1')
    .replace('<4711@', `<${(made += 1)}@`);
const from = (value: string): string => fresh().replace(/^From:.*$/m, `From: ${value}`);
/** The lines of a whole message, for a client that does not wait for answers. */
const wholeMessage = (): string =>
  `MAIL FROM:<hello@posthorn.test>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n${fresh()}\r\n.\r\n`;

test('sign-ins that are none are refused, whatever their size', async () => {
  for (const [line, reply] of [
    [`AUTH PLAIN ${base64(`\0\0${api.key}`)}`, '535 5\\.7\\.8 The user name is empty'],
    [`AUTH PLAIN ${base64('\0apikey\0')}`, '535 5\\.7\\.8'],
    [`AUTH PLAIN ${base64(`\0apikey\0${api.key}\0more`)}`, '501 5\\.5\\.4'],
    [`AUTH PLAIN ${base64('apikey')}`, '501 5\\.5\\.4'],
    ['AUTH PLAIN =', '501 5\\.5\\.4'],
    ['AUTH PLAIN !!!!', '501 5\\.5\\.4'],
    ['AUTH CRAM-MD5', '504 5\\.5\\.4'],
    [`AUTH PLAIN ${base64(`\0apikey\0${'x'.repeat(2_000)}`)}`, '535 5\\.7\\.8'],
    [`AUTH PLAIN ${base64(`\0apikey\0${'x'.repeat(100_000)}`)}`, '421 4\\.5\\.2'],
  ] as const) {
    const one = await anonymous();
    assert.match(await one.say(line), new RegExp(`^${reply}`), line.slice(0, 60));
    assert.doesNotMatch(await one.say('MAIL FROM:<hello@posthorn.test>'), /^2/);
  }
  const login = await anonymous();
  await login.say('AUTH LOGIN');
  assert.match(await login.say('A'.repeat(100_000)), /^421 4\.5\.2/);
});

test('a client that speaks before the greeting is sent away with all that it said', async () => {
  await storingNothing(async () => {
    const socket = createConnection(api.relayPort, '127.0.0.1');
    const one = keep(converse(socket));
    socket.write(`EHLO x\r\nAUTH PLAIN ${base64(`\0apikey\0${api.key}`)}\r\n${wholeMessage()}`);
    assert.match(await one.reply(), /^421/);
    assert.equal(await one.reply(), '');
  });
});

test('a web page that makes a browser post to the relay is sent away', async () => {
  const one = await raw();
  await one.reply();
  assert.match(await one.say('POST / HTTP/1.1\r\nHost: x\r\n\r\nEHLO x'), /^421 4\.7\.0 HTTP/);
  assert.equal(await one.reply(), '');
});

test('nothing that is not offered is taken: chunks, other scripts, reports, forged addresses', async () => {
  const one = await signedIn();
  const offered = await one.say('EHLO client.example');
  assert.doesNotMatch(offered, /CHUNKING|BINARYMIME|SMTPUTF8|DSN|XCLIENT/);
  await one.say(`AUTH PLAIN ${base64(`\0apikey\0${api.key}`)}`);
  const sender = 'MAIL FROM:<hello@posthorn.test>';
  for (const [line, reply] of [
    ['BDAT 10 LAST', '500 5\\.5\\.2'],
    ['XCLIENT ADDR=192.0.2.1', '500 5\\.5\\.2'],
    ['VRFY ada', '500 5\\.5\\.2'],
    [`${sender} SMTPUTF8`, '555 5\\.5\\.4'],
    [`${sender} RET=HDRS ENVID=${'x'.repeat(1_000)}`, '555 5\\.5\\.4'],
    [`${sender} BODY=BINARYMIME`, '501 5\\.5\\.4'],
    [`${sender} SIZE=1 SIZE=2`, '501 5\\.5\\.4'],
    [`${sender} SIZE=-1`, '501 5\\.5\\.4'],
    [`${sender} SIZE=99999999999`, '552 5\\.3\\.4'],
    [`${sender}garbage`, '501 5\\.1\\.7'],
    ['MAIL FROM:<hello@posthorn.test', '501 5\\.1\\.7'],
    ['MAIL FROM:<ü@posthorn.test>', '553 5\\.1\\.3'],
    [`MAIL FROM:<${'x'.repeat(3_000)}@posthorn.test>`, '501 5\\.1\\.7'],
    [`${sender} BODY=8BITMIME`, '250 2\\.1\\.0'],
    ['RCPT TO:<ü@example.com>', '553 5\\.1\\.3'],
    ['RCPT TO:<"ada b"@example.com>', '501 5\\.1\\.3'],
    ['RCPT TO:<ada@[10.0.0.1]>', '553 5\\.1\\.3'],
    ['RCPT TO:<>', '501 5\\.1\\.3'],
    ['RCPT TO:<a\0b@example.com>', '501 5\\.1\\.3'],
    ['RCPT TO:<ada@example.com>\rRCPT TO:<eve@example.com>', '555 5\\.5\\.4'],
    ['RCPT TO:<ada@example.com> NOTIFY=NEVER', '555 5\\.5\\.4'],
  ] as const)
    assert.match(await one.say(line), new RegExp(`^${reply}`), line.slice(0, 60));
});

test('a source route is passed over: the last address gets the message (RFC 5321, appendix C)', async () => {
  const one = await signedIn();
  assert.match(await one.send(fresh(), ['@evil.example:routed@example.com']), /^250/);
  assert.ok((await emails()).includes('routed@example.com'));
});

test('421 after a thousand commands without a message; a message lets a client begin to count again', async () => {
  const one = await signedIn();
  one.socket.write('NOOP\r\n'.repeat(900));
  for (let n = 0; n < 900; n += 1) assert.match(await one.reply(), /^250/);
  assert.match(await one.send(fresh()), /^250/);
  one.socket.write('RSET\r\n'.repeat(10_000));
  const replies: string[] = [];
  for (let reply = await one.reply(); reply !== ''; reply = await one.reply()) replies.push(reply);
  assert.equal(replies.length, 1_001);
  assert.match(replies.at(-1) ?? '', /^421 4\.7\.0 Too many commands without a message/);
  const quiet = await anonymous();
  quiet.socket.write('NOOP\r\n'.repeat(10_000));
  let last = '';
  for (let reply = await quiet.reply(); reply !== ''; reply = await quiet.reply()) last = reply;
  assert.match(last, /^421 4\.7\.0/);
});

test('a line of 100 KB that is no command ends the session', async () => {
  const one = await signedIn();
  assert.match(await one.say(`NOOP ${'x'.repeat(100_000)}`), /^421 4\.5\.2/);
});

test('an unknown command behind a recipient is not logged as a refused recipient', async () => {
  const one = await signedIn();
  await one.say('MAIL FROM:<hello@posthorn.test>');
  await one.say('RCPT TO:<ada@example.com>');
  assert.match(await one.say('WHATEVER'), /^500/);
  assert.match(await one.say('RCPT TO:<nobody@@example.com>'), /^501/);
  const session = await until('the session', async () => {
    const { body } = await api.request({ url: '/v1/relay/sessions?limit=1' });
    const [first] = (body as { data: { refusals: { stage: string; code: number }[] }[] }).data; // as the document says
    return first?.refusals.at(-1)?.code === 501 ? first : undefined;
  });
  assert.deepEqual(
    session.refusals.map(({ stage, code }) => [stage, code]),
    [['RCPT', 501]],
  );
});

test('554 5.6.0 for headers that two readers could read in two ways', async () => {
  const one = await signedIn();
  await storingNothing(async () => {
    for (const [name, message, reason] of [
      ['a list of senders', from('hello@posthorn.test, eve@evil.example'), 'not exactly one mailbox'],
      ['a group', from('Us: hello@posthorn.test;'), 'not exactly one mailbox'],
      ['an empty group', from('undisclosed-recipients:;'), 'not exactly one mailbox'],
      ['a source route', from('<@evil.example:hello@posthorn.test>'), 'more than one address|second @'],
      ['a quoted address', from('"eve@evil.example,"@posthorn.test'), ''],
      ['a name with the address of another', from('"ceo@evil.example" <hello@posthorn.test>'), 'of another domain'],
      ['the same encoded', from('=?utf-8?q?ceo=40evil.example?= <hello@posthorn.test>'), 'of another domain'],
      ['the same as a comment', from('hello@posthorn.test (ceo@evil.example)'), 'of another domain'],
      ['another script', from('<\xc3\xbc@posthorn.test>'), 'ASCII'],
      ['bytes in the name', from('J\xc3\xbcrgen <hello@posthorn.test>'), 'above 127'],
      ['another case', fresh(['FROM: eve@evil.example']), 'more than one From'],
      ['a space before the colon', fresh().replace('From:', 'From :'), 'not a field'],
      ['a first line that goes on', ` X-A: b\r\n${fresh()}`, 'not a field'],
      ['a NUL', fresh(['X-A: a\0b']), 'NUL'],
      ['a line of 999', fresh([`X-A: ${'x'.repeat(994)}`]), 'longer than 998'],
      ['a line of 100 KB', fresh([`X-A: ${'x'.repeat(100_000)}`]), '64 KB'],
      ['10,000 fields', fresh(Array.from({ length: 10_000 }, (_, n) => `X-${n}: y`)), '64 KB'],
      ['a field without end', fresh([`X-A: a${'\r\n a'.repeat(30_000)}`]), '64 KB'],
      ['a long line in the body', fresh([], `${'x'.repeat(100_000)}\r\n`), 'longer than 998'],
    ] as const) {
      const reply = await one.send(message);
      assert.match(reply, new RegExp(`^554 5\\.6\\.0 .*(?:${reason})`, 'i'), `${name}: ${reply}`);
    }
  });
});

test('554 5.6.0 names the field of ours that is not good, and nothing is stored', async () => {
  const one = await signedIn();
  const tags = Array.from({ length: 21 }, (_, n) => `n${n}=v`).join(',');
  await storingNothing(async () => {
    for (const field of [
      `X-Service-Tags: ${tags}`,
      'X-Service-Tags: a=b c',
      'X-Service-Tags: a=b=c',
      'X-Service-Metadata: null',
      'X-Service-Metadata:',
      'X-Service-Metadata: {"__proto__":{"a":1}}',
      'X-Service-Metadata: {"a":1,"a":2}',
      `X-Service-Metadata: {"a":${'['.repeat(400)}${']'.repeat(400)}}`,
      `X-Service-Metadata: {"a":"${`${'x'.repeat(900)}\r\n `.repeat(19)}"}`,
      'X-Service-Metadata: {"a":"\\u0000"}',
      'X-Service-Metadata: {"a":"\\ud800"}',
      'X-Service-Metadata: {}\r\nx-service-metadata: {}',
      'X-Service-Track-Opens: no\r\nX-Service-Track-Opens: no',
      'X-Service-Track-Clicks:',
      'X-Idempotency-Key:',
      `X-Idempotency-Key: ${'x'.repeat(257)}`,
      'X-Idempotency-Key: ab\r\n cd',
      `X-Service-${'A'.repeat(500)}: a`,
    ]) {
      const [name = ''] = field.split(':');
      const reply = await one.send(fresh([field]));
      assert.ok(reply.toLowerCase().startsWith(`554 5.6.0 ${name.toLowerCase().slice(0, 40)}`), `${field}: ${reply}`);
    }
  });
});

test('tags may stand in several fields, and fields of the provider are taken out', async () => {
  const one = await signedIn();
  assert.match(
    await one.send(fresh(['X-Service-Tags: a=b', 'X-Service-Tags: c=d', 'X-SES-MESSAGE-TAGS: e=f']), ['t@example.com']),
    /^250/,
  );
  const { rows } = await sql<{ tags: unknown; mime: Buffer }>`select tags, mime from contents
    where workspace_id = ${api.workspaceId} order by id desc limit 1`.execute(api.db);
  assert.deepEqual(rows[0]?.tags, [
    { name: 'a', value: 'b' },
    { name: 'c', value: 'd' },
  ]);
  assert.doesNotMatch(rows[0]?.mime.toString('latin1') ?? '', /X-SES|X-Service/i);
});

for (const [name, field] of [
  ['the same bytes', []],
  ['the same X-Idempotency-Key', ['X-Idempotency-Key: lost-250']],
] as const)
  test(`a client that goes before its 250 sends ${name} again, and it is one message`, async () => {
    const to = `lost-${field.length}@example.com`;
    const mime = fresh(field);
    const lost = await signedIn();
    for (const line of ['MAIL FROM:<hello@posthorn.test>', `RCPT TO:<${to}>`, 'DATA']) await lost.say(line);
    lost.socket.write(Buffer.from(`${mime}.\r\n`, 'latin1'));
    lost.socket.destroySoon();
    const one = await signedIn();
    const again = await until('the first job', async () => {
      const reply = await one.send(mime, [to]);
      return reply.startsWith('250') ? reply : undefined;
    });
    assert.equal(await one.send(mime, [to]), again);
    assert.equal((await emails()).filter((recipient) => recipient === to).length, 1);
  });

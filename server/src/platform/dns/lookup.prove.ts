import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, type TestContext, test } from 'node:test';
import { decode, encode } from 'dns-packet';
import { systemClock } from '#platform/clock.ts';
import { createAddressRules } from '#platform/safe-fetch/address-rules.ts';
import { type Knot, startKnot } from '../../../test/harness/knot.ts';
import { needsTool, SYSTEM_TOOLS } from '../../../test/system-tools.ts';
import { createLookUp, type Lookup, type LookupOptions } from './lookup.ts';
import { readServerAddress, type ServerAddress } from './server-address.ts';

/** Two name servers of one zone: `second` is told of no change unless the test does. */
let first: Knot;
let second: Knot;
before(async () => {
  if (!SYSTEM_TOOLS.knot.isThere()) return;
  first = await startKnot({ address: '127.0.0.11' });
  second = await startKnot({ address: '127.0.0.12', port: first.port });
});
after(async () => {
  await first?.stop();
  await second?.stop();
});

const onThisMachine = createAddressRules(['127.0.0.0/8']);
const asking = (servers: readonly ServerAddress[], more: Partial<LookupOptions> = {}) =>
  createLookUp({ servers, rules: onThisMachine, clock: systemClock, timeoutMs: 300, ...more });
const texts = (name: string): Promise<Lookup> => asking([first])(name, 'TXT');

const cases: [what: string, values: string[], found: string[]][] = [
  ['a text', ['"v=spf1 -all"'], ['v=spf1 -all']],
  ['a text in several strings, which are joined without a space', ['"v=DKIM1; " "p=abc" "def"'], ['v=DKIM1; p=abcdef']],
  ['two texts, sorted', ['"b"', '"a"'], ['a', 'b']],
  ['an empty text', ['""'], ['']],
];
for (const [index, [what, values, found]] of cases.entries()) {
  test(`${what} is found, with its TTL and the server`, async (t) => {
    if (!needsTool(t, 'knot')) return;
    await first.set(`case${index}.test`, 'TXT', values);
    const lookup = await texts(`case${index}.test`);
    assert.deepEqual(lookup.values, found);
    assert.deepEqual(lookup.answers, [{ server: first.server, values: found, ttl: 300, error: null }]);
  });
}

test('an answer of 12 KB, which UDP cuts, comes over TCP', async (t) => {
  if (!needsTool(t, 'knot')) return;
  const long = Array.from({ length: 12 }, (_, index) => `${String(index).padStart(2, '0')}${'x'.repeat(1_000)}`);
  await first.setText('long.test', long);
  assert.deepEqual((await texts('long.test')).values, long);
});

test('a name without such a record, and a name that does not exist, have none', async (t) => {
  if (!needsTool(t, 'knot')) return;
  await first.set('mail.test', 'MX', ['10 mx.mail.test.']);
  assert.deepEqual((await texts('mail.test')).values, []);
  assert.deepEqual((await texts('nobody.test')).values, []);
  assert.deepEqual((await asking([first])('mail.test', 'MX')).values, ['10 mx.mail.test']);
});

test('an alias is followed to its end, and a circle of them is no answer', async (t) => {
  if (!needsTool(t, 'knot')) return;
  for (let link = 1; link <= 6; link += 1) await first.set(`a${link}.test`, 'CNAME', [`a${link + 1}.test.`]);
  await first.set('a7.test', 'TXT', ['"at the end"']);
  assert.deepEqual((await texts('a1.test')).values, ['at the end']);
  await first.set('round1.test', 'CNAME', ['round2.test.']);
  await first.set('round2.test', 'CNAME', ['round1.test.']);
  const round = await texts('round1.test');
  assert.equal(round.values, null);
  assert.match(round.reason ?? '', /aliases/);
});

const refusals: [what: string, name: string, error: string][] = [
  ['SERVFAIL', 'anything.broken', 'SERVFAIL'],
  ['a refusal', 'acme.elsewhere', 'REFUSED'],
];
for (const [what, name, error] of refusals) {
  test(`${what} is no answer, and is not taken for a missing record`, async (t) => {
    if (!needsTool(t, 'knot')) return;
    const lookup = await texts(name);
    assert.equal(lookup.values, null);
    assert.equal(lookup.answers[0]?.error, error);
    assert.match(lookup.reason ?? '', new RegExp(error));
  });
}

test('servers that do not agree give no answer; both answers are kept', async (t) => {
  if (!needsTool(t, 'knot')) return;
  await first.set('differs.test', 'TXT', ['"new"']);
  await second.set('differs.test', 'TXT', ['"old"']);
  const lookup = await asking([first, second])('differs.test', 'TXT');
  assert.equal(lookup.values, null);
  assert.match(lookup.reason ?? '', /different answers/);
  assert.deepEqual(
    lookup.answers.map(({ values }) => values),
    [['new'], ['old']],
  );
  await second.set('differs.test', 'TXT', ['"new"']);
  assert.deepEqual((await asking([first, second])('differs.test', 'TXT')).values, ['new']);
});

test('one silent server of two is no answer, and the reason names it', async (t) => {
  if (!needsTool(t, 'knot')) return;
  await first.set('silent.test', 'TXT', ['"here"']);
  const silent = await aServer(t, () => undefined);
  const lookup = await asking([first, silent])('silent.test', 'TXT');
  assert.equal(lookup.values, null);
  assert.match(lookup.reason ?? '', new RegExp(`127\\.0\\.0\\.1:${silent.port}.*timeout`));
});

test('a server that nobody runs is no answer', async () => {
  const lookup = await asking([{ address: '127.0.0.1', port: 9 }])('acme.test', 'TXT');
  assert.equal(lookup.values, null);
  assert.match(lookup.answers[0]?.error ?? '', /unreachable|timeout/);
});

/** A server on loopback that answers a question with these bytes; undefined: not at all. */
async function aServer(t: TestContext, reply: (question: Buffer) => Buffer | undefined): Promise<ServerAddress> {
  const socket: Socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const bytes = reply(message);
    if (bytes !== undefined) socket.send(bytes, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return { address: '127.0.0.1', port: socket.address().port };
}

const forged = (question: Buffer, change: { id?: number; name?: string }): Buffer => {
  const { id = 0, questions = [] } = decode(question);
  const name = change.name ?? questions[0]?.name ?? '';
  return encode({
    type: 'response',
    id: change.id ?? id,
    questions: [{ type: 'TXT', name }],
    answers: [{ type: 'TXT', name, ttl: 60, data: 'forged' }],
  });
};
const noise: [what: string, reply: (question: Buffer) => Buffer][] = [
  ['another id', (question) => forged(question, { id: ((decode(question).id ?? 0) + 1) % 65_536 })],
  ['another question', (question) => forged(question, { name: 'other.test' })],
  ['bytes that are no packet', () => Buffer.from('hello')],
  ['a name that points at itself', (question) => Buffer.concat([question.subarray(0, 12), Buffer.from([0xc0, 12])])],
  ['the question itself', (question) => question],
];
for (const [what, reply] of noise) {
  test(`an answer with ${what} is not believed`, async (t) => {
    const lookup = await asking([await aServer(t, reply)], { timeoutMs: 60 })('acme.test', 'TXT');
    assert.deepEqual([lookup.values, lookup.answers[0]?.error], [null, 'timeout']);
  });
}

/** As the resolver of a machine would find them. */
const resolverOf = (hosts: Record<string, string[]>, servers: Record<string, string[]>) => {
  const missing = (): never => {
    throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
  };
  return {
    resolveNs: async (name: string) => servers[name] ?? missing(),
    resolve4: async (name: string) => hosts[name] ?? missing(),
    resolve6: async () => missing(),
  };
};

test('without servers in the settings, all authoritative servers of the zone are asked', async (t) => {
  if (!needsTool(t, 'knot')) return;
  const resolver = resolverOf(
    { 'ns1.test': ['127.0.0.11'], 'ns2.test': ['127.0.0.12'] },
    { test: ['ns2.test', 'ns1.test'] },
  );
  const lookUp = asking([], { resolver, authorityPort: first.port });
  for (const knot of [first, second]) await knot.set('selector._domainkey.acme.test', 'TXT', ['"the key"']);
  const lookup = await lookUp('selector._domainkey.acme.test', 'TXT');
  assert.deepEqual(lookup.values, ['the key']);
  assert.deepEqual(
    lookup.answers.map(({ server }) => server),
    [first.server, second.server],
  );
  await second.set('selector._domainkey.acme.test', 'TXT', []);
  assert.equal((await lookUp('selector._domainkey.acme.test', 'TXT')).values, null);
});

test('an alias into another zone is followed to the servers of that zone', async (t) => {
  if (!needsTool(t, 'knot')) return;
  const other = await startKnot({
    zone: 'hosted',
    address: '127.0.0.13',
    port: first.port,
    records: 'key TXT "there"',
  });
  t.after(() => other.stop());
  await first.set('outward.test', 'CNAME', ['key.hosted.']);
  const resolver = resolverOf(
    { 'ns1.test': ['127.0.0.11'], 'ns1.hosted': ['127.0.0.13'] },
    { test: ['ns1.test'], hosted: ['ns1.hosted'] },
  );
  const lookup = await asking([], { resolver, authorityPort: first.port })('outward.test', 'TXT');
  assert.deepEqual(lookup.values, ['there']);
});

test('name servers at addresses of the machine or its network are not asked', async (t) => {
  if (!needsTool(t, 'knot')) return;
  await first.set('inward.test', 'TXT', ['"secret"']);
  for (const address of ['127.0.0.11', '10.0.0.1', '169.254.169.254', '192.168.1.1']) {
    const resolver = resolverOf({ 'ns1.test': [address] }, { test: ['ns1.test'] });
    const lookUp = asking([], { resolver, authorityPort: first.port, rules: createAddressRules([]) });
    const lookup = await lookUp('inward.test', 'TXT');
    assert.equal(lookup.values, null);
    assert.deepEqual(lookup.answers, []);
    assert.match(lookup.reason ?? '', /address that may be asked/);
  }
});

test('a name below which nobody serves a zone has no records; a resolver that fails says nothing', async () => {
  const none = asking([], { resolver: resolverOf({}, {}) });
  assert.deepEqual((await none('acme.nowhere', 'TXT')).values, []);
  const failing = asking([], {
    resolver: {
      ...resolverOf({}, {}),
      resolveNs: async () => {
        throw Object.assign(new Error('failed'), { code: 'ESERVFAIL' });
      },
    },
  });
  const lookup = await failing('acme.nowhere', 'TXT');
  assert.equal(lookup.values, null);
  assert.match(lookup.reason ?? '', /ESERVFAIL/);
});

const addresses: [text: string, read: ServerAddress | undefined][] = [
  ['192.0.2.1', { address: '192.0.2.1', port: 53 }],
  ['192.0.2.1:5353', { address: '192.0.2.1', port: 5353 }],
  ['2001:db8::1', { address: '2001:db8::1', port: 53 }],
  ['[2001:db8::1]:5353', { address: '2001:db8::1', port: 5353 }],
  ['dns.example', undefined],
  ['192.0.2.1:0', undefined],
  ['192.0.2.1:99999', undefined],
  ['[192.0.2.1]:53', undefined],
  ['', undefined],
];
test('a setting names a server by its address, with or without a port', () => {
  for (const [text, read] of addresses) assert.deepEqual(readServerAddress(text), read, text);
});

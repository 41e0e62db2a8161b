import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { undoAfter } from '../../../test/harness/undo.ts';
import { createLookup } from './resolve-name.ts';

const A = 1;
const AAAA = 28;

/** The records of a name by type, as bytes; undefined leaves the question without an answer. */
type Zone = (name: string, type: number) => Buffer[] | undefined;

/**
 * A name server on loopback (RFC 1035 §4): one question, answers that point back at it, NXDOMAIN when there are none.
 */
async function startNameServer(t: TestContext, zone: Zone): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const end = query.indexOf(0, 12) + 5;
    const labels: string[] = [];
    for (let at = 12; query[at] !== 0; at += (query[at] ?? 0) + 1) {
      labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)));
    }
    const type = query.readUInt16BE(end - 4);
    const records = zone(labels.join('.'), type);
    if (records === undefined) return;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(records.length === 0 ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8);
    const answers = records.map((bytes) => {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(bytes.length, 10);
      return Buffer.concat([record, bytes]);
    });
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  undoAfter(t, () => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

const v4 = (text: string): Buffer => Buffer.from(text.split('.').map(Number));
const loopback6 = Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);

test('every address of both families is given', async (t) => {
  const server = await startNameServer(t, (name, type) => {
    if (name !== 'hooks.example') return [];
    return type === AAAA ? [loopback6] : [v4('1.1.1.1'), v4('10.0.0.1')];
  });
  const lookup = createLookup({ servers: [server], askSystem: async () => assert.fail('the system was asked') });
  assert.deepEqual((await lookup('hooks.example')).toSorted(), ['1.1.1.1', '10.0.0.1', '::1'].toSorted());
});

test('a name with addresses of one family only', async (t) => {
  const server = await startNameServer(t, (_name, type) => (type === A ? [v4('1.1.1.1')] : []));
  const lookup = createLookup({ servers: [server], askSystem: async () => assert.fail('the system was asked') });
  assert.deepEqual(await lookup('hooks.example'), ['1.1.1.1']);
});

test('the system is asked about names that the name servers do not know', async (t) => {
  const server = await startNameServer(t, () => []);
  const asked: string[] = [];
  const lookup = createLookup({
    servers: [server],
    askSystem: async (name) => {
      asked.push(name);
      return ['127.0.0.1'];
    },
  });
  assert.deepEqual(await lookup('neighbour'), ['127.0.0.1']);
  assert.deepEqual(asked, ['neighbour']);
});

test('the system is asked about two names at a time at most', async (t) => {
  const server = await startNameServer(t, () => []);
  let asked = 0;
  const lookup = createLookup({
    servers: [server],
    askSystem: () => {
      asked += 1;
      return new Promise(() => undefined);
    },
  });
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => lookup(name));
  const first = await Promise.allSettled(names.slice(2));
  assert.ok(first.every(({ status }) => status === 'rejected'));
  assert.equal(asked, 2);
});

test('a name whose servers are silent is given up, and the system is not held up by it', async (t) => {
  const server = await startNameServer(t, () => undefined);
  const lookup = createLookup({
    servers: [server],
    askSystem: async () => assert.fail('the system was asked'),
    answerMsMax: 100,
  });
  await assert.rejects(lookup('dead.example'), { message: 'the name servers answered ETIMEOUT and ETIMEOUT' });
});

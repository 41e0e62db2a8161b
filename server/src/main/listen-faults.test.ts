import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { freePort } from '../../test/harness/posthorn-process.ts';
import { undoAfter } from '../../test/harness/undo.ts';
import { explainListen, probePort } from './listen-faults.ts';

test('a port in use is told with the setting and a remedy', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  undoAfter(t, () => other.close());
  const address = other.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await assert.rejects(probePort({ port, host: '127.0.0.1', inboundSmtpPort: 2525 }), {
    message:
      `Port ${port} of 127.0.0.1 is in use by another program, perhaps another Posthorn. Stop that program, or set PORT ` +
      `to a free port (PORT=${port + 1} npm start).`,
  });
});

test('a free port is free after the look', async () => {
  const address = { port: await freePort(), host: '127.0.0.1', inboundSmtpPort: 2525 };
  await probePort(address);
  await probePort(address);
});

// Calls a port again and again, until it is told to end, and tells what came of it.
const CALLER = `
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const ends = new Set();
  let goesOn = true;
  parentPort.once('message', () => (goesOn = false));
  const call = () => new Promise((resolve) => {
    const socket = connect(workerData, () => socket.destroy(new Error('connected')));
    socket.once('error', (error) => resolve(ends.add(error.code ?? error.message)));
  });
  const calls = async () => { while (goesOn) await call(); };
  Promise.all([calls(), calls(), calls(), calls()]).then(() => parentPort.postMessage([...ends]));
`;

test('callers that wait for the process are refused during the look, and never connected', async (t) => {
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
  for (const host of ['127.0.0.1', '0.0.0.0', ...(hasIpv6 ? ['::1', '::'] : [])]) {
    const address = { port: await freePort(), host, inboundSmtpPort: 2525 };
    const called = { port: address.port, host: host.includes(':') ? '::1' : '127.0.0.1' };
    const caller = new Worker(CALLER, { eval: true, workerData: called });
    undoAfter(t, () => caller.terminate());
    await once(caller, 'online');
    for (let n = 0; n < 300; n += 1) await probePort(address);
    const ends = once(caller, 'message');
    caller.postMessage('end');
    assert.deepEqual(await ends, [['ECONNREFUSED']], host);
  }
});

const onlyLinux =
  process.platform === 'linux' ? false : 'other systems let a port be listened on once for each address';

test('a port in use on one address is in use on all of them', { skip: onlyLinux }, async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  undoAfter(t, () => other.close());
  const { port } = other.address() as AddressInfo; // it listens on a port
  await assert.rejects(probePort({ port, host: '0.0.0.0', inboundSmtpPort: 2525 }), /is in use by another program/);
});

test('an address of another machine is told with the setting and a remedy', async () => {
  await assert.rejects(
    probePort({ port: 0, host: '192.0.2.1', inboundSmtpPort: 2525 }),
    /^Error: POSTHORN_HOST is "192\.0\.2\.1", which is no address of this machine\. Set it to 127\.0\.0\.1/,
  );
});

const OURS = { port: 80, host: '127.0.0.1', inboundSmtpPort: 25 };
const listening = (code: string, port: number): Error =>
  Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen', port });

test('a port that needs rights is told with the setting and a remedy', () => {
  const message = explainListen(listening('EACCES', 80), OURS)?.message ?? '';
  assert.match(
    message,
    /^This user may not listen on port 80: ports below 1024 are for root\. Set PORT to a higher port/,
  );
});

test('the port for bounces is told by its own setting', () => {
  const message = explainListen(listening('EADDRINUSE', 25), OURS)?.message ?? '';
  assert.match(message, /^Port 25 .+set POSTHORN_INBOUND_SMTP_PORT to a free port/);
});

test('a failure that is not one of listening is left as it is', () => {
  assert.equal(explainListen(new Error('other'), OURS), undefined);
  assert.equal(
    explainListen(Object.assign(new Error(), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), OURS),
    undefined,
  );
});

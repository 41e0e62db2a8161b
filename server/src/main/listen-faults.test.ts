import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
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

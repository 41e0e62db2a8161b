import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { until } from '../../../test/harness/until.ts';
import { createLog } from '../log.ts';
import { type Certificate, certificateFiles } from './certificate-files.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

let folder: string;
const logged: string[] = [];
const log = createLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-certificate-'));
});
after(() => rm(folder, { recursive: true }));

const make = (name: string): Certificate =>
  selfSignedCertificate({ commonName: name, dnsNames: [name], now: new Date('2026-11-23T00:00:00Z'), days: 30 });

let written = 0;
/** Every writing has a time of its own, whatever the file system keeps of it. */
async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  const at = new Date(1_800_000_000_000 + (written += 1) * 1_000);
  await utimes(file, at, at);
  return file;
}

test('a renewed certificate is taken up once both of its files are there, and the old one serves until then', async () => {
  const [first, second] = [make('first'), make('second')];
  const clock = createTestClock({ held: true });
  const certFile = await write('cert.pem', first.cert);
  const keyFile = await write('key.pem', first.key);
  const files = certificateFiles({ certFile, keyFile, clock, log });
  assert.deepEqual(await files.read(), first);
  const changes: Certificate[] = [];
  const watching = files.watch((changed) => changes.push(changed));
  await write('cert.pem', second.cert);
  clock.advance(30_000);
  await until('the half that is told', async () => (logged.length > 0 ? true : undefined));
  assert.match(logged.join(''), /the one before stays/);
  assert.deepEqual(changes, []);
  await write('key.pem', second.key);
  clock.advance(30_000);
  assert.deepEqual(await until('the change', async () => changes[0]), second);
  watching.cancel();
});

test('a certificate that is renewed between the first reading and the watch is taken up too', async () => {
  const [first, second] = [make('first'), make('second')];
  const clock = createTestClock({ held: true });
  const certFile = await write('early-cert.pem', first.cert);
  const keyFile = await write('early-key.pem', first.key);
  const files = certificateFiles({ certFile, keyFile, clock, log });
  await files.read();
  await write('early-cert.pem', second.cert);
  await write('early-key.pem', second.key);
  const changes: Certificate[] = [];
  const watching = files.watch((changed) => changes.push(changed));
  clock.advance(30_000);
  assert.deepEqual(await until('the change', async () => changes[0]), second);
  watching.cancel();
});

test('a certificate that is not there, not PEM or of another key is refused with the name of its setting', async () => {
  const clock = createTestClock();
  const [first, second] = [make('first'), make('second')];
  const certFile = await write('a.pem', first.cert);
  const of = (keyFile: string) => certificateFiles({ certFile, keyFile, clock, log }).read();
  await assert.rejects(of(path.join(folder, 'none.pem')), /POSTHORN_TLS_KEY is ".*none\.pem", which cannot be read/);
  await assert.rejects(of(await write('b.pem', 'no key')), /they must hold a certificate and a key as PEM/);
  await assert.rejects(of(await write('c.pem', second.key)), /does not belong to the certificate/);
});

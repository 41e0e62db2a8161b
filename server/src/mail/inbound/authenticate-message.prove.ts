import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { systemClock } from '#platform/clock.ts';
import { createResolveRecords } from '#platform/dns/resolve-records.ts';
import { type Knot, startKnot } from '../../../test/harness/knot.ts';
import { authenticateMessage, type MailAuth } from './authenticate-message.ts';

const RAW = 'From: Ada <ada@acme.test>\r\nSubject: Hello\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\n\r\nHello.\r\n';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let knot: Knot;
before(async () => {
  knot = await startKnot();
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  await knot.setText('s1._domainkey.acme.test', [`v=DKIM1; k=rsa; p=${key}`]);
  await knot.setText('acme.test', ['v=spf1 include:spf.acme.test -all']);
  await knot.setText('spf.acme.test', ['v=spf1 a:mail.acme.test ~all']);
  await knot.set('mail.acme.test', 'A', ['192.0.2.7']);
  await knot.setText('_dmarc.acme.test', ['v=DMARC1; p=reject']);
});
after(() => knot.stop());

const check = (raw: string, clientIp: string, port = knot.port): Promise<MailAuth> =>
  authenticateMessage(Buffer.from(raw), {
    clientIp,
    clientName: 'mail.acme.test',
    envelopeFrom: 'ada@acme.test',
    host: 'mx.example.com',
    signal: new AbortController().signal,
    resolve: createResolveRecords({ servers: [{ address: knot.address, port }], clock: systemClock }),
  });

async function signed(): Promise<string> {
  const key = {
    signingDomain: 'acme.test',
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  // It reads the list; its types ask for the key beside it.
  const { signatures } = await dkimSign(RAW, { canonicalization: 'relaxed/relaxed', ...key, signatureData: [key] });
  return signatures + RAW;
}

test('a signed message from the server of its domain passes everything', async () => {
  assert.deepEqual(await check(await signed(), '::ffff:192.0.2.7'), {
    spf: 'pass',
    dkim: 'pass',
    dmarc: 'pass',
    arc: 'none',
  });
});

test('a message that somebody else sends, or that was changed, does not', async () => {
  assert.deepEqual(await check(RAW, '192.0.2.8'), { spf: 'fail', dkim: 'none', dmarc: 'fail', arc: 'none' });
  const changed = (await signed()).replace('Hello.', 'Hallo.');
  const auth = await check(changed, '192.0.2.7');
  assert.notEqual(auth.dkim, 'pass');
  assert.deepEqual([auth.spf, auth.dmarc], ['pass', 'pass'], 'SPF is enough for DMARC');
});

test('a DNS that does not answer is a temporary error, and takes no longer than its tries', async () => {
  const auth = await check(await signed(), '192.0.2.7', 9);
  assert.deepEqual([auth.spf, auth.dkim, auth.dmarc], ['temperror', 'temperror', 'temperror']);
});

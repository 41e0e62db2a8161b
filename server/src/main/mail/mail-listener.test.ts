import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { aDomain } from '../../../test/harness/builders.ts';
import { temporaryFolder } from '../../../test/harness/data-dir.ts';
import { selfSignedCertificate } from '../../../test/harness/self-signed-certificate.ts';
import { until } from '../../../test/harness/until.ts';

const LOOK_MS = 30_000;
let app: TestApp;
after(() => app.close());

/** Writes a new certificate where the settings look for it. */
function renew(folder: string): { cert: string; key: string } {
  const made = selfSignedCertificate();
  writeFileSync(path.join(folder, 'cert.pem'), made.cert);
  writeFileSync(path.join(folder, 'key.pem'), made.key);
  return made;
}

/** Delivers as a server does that insists on TLS and on this certificate. Rejects when it is another. */
async function deliver(cert: string, subject: string): Promise<string> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: app.mailPort,
    requireTLS: true,
    tls: { ca: cert, servername: 'localhost' },
  });
  try {
    const mail = { from: 'ada@example.net', to: 'x@reply.acme.example', subject, text: 'Hello' };
    return (await transport.sendMail(mail)).response;
  } finally {
    transport.close();
  }
}

test('mail arrives over STARTTLS with the certificate of the operator, and a renewed one needs no restart', async (t) => {
  const folder = temporaryFolder(t);
  const first = renew(folder);
  app = await createTestApp({
    mail: true,
    env: {
      POSTHORN_BOUNCE_DOMAIN: 'bounces.example',
      POSTHORN_TLS_CERT: path.join(folder, 'cert.pem'),
      POSTHORN_TLS_KEY: path.join(folder, 'key.pem'),
    },
  });
  const id = await aDomain(app.db, app.workspaceId, 'reply.acme.example');
  await app.request({ method: 'POST', url: `/v1/domains/${id}/receiving/enable` });
  const response = await until('the open port', () => deliver(first.cert, 'first').catch(() => undefined));
  assert.match(response, /^250 /);
  const second = renew(folder);
  await assert.rejects(deliver(second.cert, 'early'), /self-signed|certificate/);
  app.clock.advance(LOOK_MS);
  assert.match(
    await until('the new certificate', () => deliver(second.cert, 'second').catch(() => undefined)),
    /^250 /,
  );
  await assert.rejects(deliver(first.cert, 'late'), /self-signed|certificate/);
  const { body } = await app.request({ url: '/v1/inbound' });
  const { data } = body as { data: object[] }; // held against the OpenAPI document by the harness
  assert.equal(data.length, 2);
});

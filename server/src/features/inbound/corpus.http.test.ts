import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { aDomain } from '../../../test/harness/builders.ts';
import { deliverMail } from '../../../test/harness/deliver-mail.ts';
import { until } from '../../../test/harness/until.ts';
import { type Receiver, startReceiver } from '../../../test/harness/webhook-receiver.ts';
import { needsTool, PYTHON_MAILS } from '../../../test/system-tools.ts';

let app: TestApp;
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
  app = await createTestApp({ worker: true, mail: true, env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' } });
  const id = await aDomain(app.db, app.workspaceId, 'reply.acme.example');
  await app.request({ method: 'POST', url: `/v1/domains/${id}/receiving/enable` });
  await app.request({ method: 'PATCH', url: `/v1/domains/${id}/webhook`, body: { webhookUrl: receiver.url } });
});
after(async () => {
  await receiver.close();
  await app.close();
});

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

/** Fewer than a peer may have. */
const SESSIONS = 20;
const addressOf = (file: string): string => `${file.slice(0, -4)}@reply.acme.example`;

/** Whatever its line ends were: those of the wire. */
const read = (file: string): Buffer =>
  Buffer.from(readFileSync(path.join(PYTHON_MAILS, file), 'latin1').replace(/\r\n|\r|\n/g, '\r\n'), 'latin1');

test('the messages with which Python tries its reader are all stored and forwarded, byte for byte, and can be shown', async (t) => {
  if (!needsTool(t, 'python-mails')) return;
  const files = readdirSync(PYTHON_MAILS).filter((name) => /^msg_\w+\.txt$/.test(name));
  assert.ok(files.length >= 47, `${files.length} messages`);
  const deliver = async (file: string): Promise<void> =>
    assert.match(await deliverMail(app.mailPort, { to: addressOf(file) }, read(file)), /^250 /, file);
  for (let first = 0; first < files.length; first += SESSIONS) {
    await Promise.all(files.slice(first, first + SESSIONS).map(deliver));
  }
  const events = await until('all events', async () =>
    receiver.received.length >= files.length
      ? receiver.received.map(({ raw }): Body => JSON.parse(raw).inbound)
      : undefined,
  );
  const refused: string[] = [];
  for (const file of files) {
    const inbound = events.find(({ envelope }) => envelope.to[0] === addressOf(file));
    assert.ok(inbound !== undefined, `${file} was forwarded`);
    if (inbound.parse_error !== null) refused.push(`${file}: ${inbound.parse_error}`);
    const { rows } = await sql<{ bytes: Buffer }>`
      select bytes from inbound_messages
       where workspace_id = ${app.workspaceId} and inbound_id = ${inbound.id}`.execute(app.db);
    assert.deepEqual(rows[0]?.bytes, Buffer.concat([read(file), Buffer.from('\r\n')]), file);
    assert.equal((await app.request({ url: `/v1/inbound/${inbound.id}` })).status, 200, file);
    for (const { id } of inbound.attachments) {
      const url = `/v1/inbound/${inbound.id}/attachments/${id}`;
      const { statusCode } = await app.app.inject({ url, headers: { authorization: `Bearer ${app.key}` } });
      assert.equal(statusCode, 200, `${file} ${id}`);
    }
  }
  assert.deepEqual(refused, []);
  assert.deepEqual(app.logged, []);
});

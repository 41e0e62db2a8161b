import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aDomain, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { storeInbound } from './store-inbound.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('a message is stored with every bound of what a domain keeps: none, 1 MB, the usual one and the largest', async () => {
  for (const inboundMb of [0, 1, 2_048, 10_485_760]) {
    const workspaceId = await aWorkspace(t.db);
    const id = await aDomain(t.db, workspaceId, 'reply.acme.example');
    const message = {
      from: 'ada@example.net',
      to: ['help@reply.acme.example'],
      raw: Buffer.from('Subject: Hello\r\n\r\nHello\r\n'),
      address: '127.0.0.1',
      clientName: null,
    };
    await storeInbound({ db: t.db, settings: { inboundMb } }, { workspaceId, id }, message);
    const { rows } = await sql`select id from inbound_emails where workspace_id = ${workspaceId}`.execute(t.db);
    assert.equal(rows.length, 1, `${inboundMb} MB`);
  }
});

/** A worker is killed while a raw message is with the mail server: each later copy is made of the stored bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptSend, rawContent } from '#features/outbox';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { createTestDatabase } from '../../harness/database.ts';
import { aRawMessage, isStillSigned, RAW_MIMES } from '../../harness/raw-messages.ts';
import { undoAfter } from '../../harness/undo.ts';
import { createRig, untilTrue } from './rig.ts';

test('killed during the hand-off of a raw message: the copy that follows has the same bytes', {
  timeout: 300_000,
}, async (t) => {
  const database = await createTestDatabase();
  undoAfter(t, () => database.close());
  const rig = await createRig({
    databaseUrl: database.url,
    env: { POSTHORN_LEASE_SECONDS: '5' },
    sinkFaults: { rules: [{ at: 'dot', act: 'take-and-hang', times: 2 }] },
  });
  undoAfter(t, rig.close);
  const victim = await rig.start('all');
  const [workspace] = await rig.query(`select workspace_id from domains where domain = 'posthorn.test'`);
  const given = ['signed', 'a megabyte'].map((name) => RAW_MIMES[name] ?? Buffer.alloc(0));
  for (const [index, mime] of given.entries()) {
    await acceptSend(
      { db: database.db, workspaceId: String(workspace?.['workspace_id']) },
      {
        source: 'relay',
        lane: 'transactional',
        content: rawContent(await aRawMessage(mime), { domain: { domain: 'posthorn.test', domainId: null } }),
        recipients: [parseMailbox(`raw-${index}@example.com`)],
        expiresAt: null,
        sandbox: false,
        apiKey: null,
        takes: [],
      },
    );
  }
  await untilTrue(() => rig.sink.count === given.length, 'the messages did not reach the mail server');
  await victim.kill();
  await rig.start('all');
  await untilTrue(() => rig.sink.count >= given.length * 2, 'no second copies came');
  await rig.untilQuiet();

  for (const [index, mime] of given.entries()) {
    const copies = rig.sink.messages.filter(({ to }) => to.includes(`raw-${index}@example.com`));
    assert.equal(copies.length, 2);
    for (const copy of copies) assert.ok(copy.mime.subarray(-mime.length).equals(mime));
    for (const copy of copies) assert.ok(copy.mime.includes('DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed'));
    if (index === 0) assert.ok(copies.every((copy) => isStillSigned(copy.mime)));
  }
  const attempts = await rig.query(
    `select outcome, count(*)::int as n from email_attempts group by outcome order by 1`,
  );
  assert.deepEqual(attempts, [
    { outcome: 'resent', n: 2 },
    { outcome: 'unconfirmed', n: 2 },
  ]);
});

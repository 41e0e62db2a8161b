import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { subscriberAudience } from '../fan-out/subscriber-audience.ts';
import { type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';

// No worker runs: emails are moved by hand.
let t: IssuesApp;
before(async () => {
  t = await createIssuesApp();
});
after(() => t.close());

test('200 for a pause of an issue by a person: nothing of it waits in the queue, and it goes on when it is resumed', async () => {
  const id = await t.list(3);
  const issue = await t.draft(id);
  const post = (action: string) => t.call('POST', `/${id}/issues/${issue.id}/${action}`);
  assert.equal((await post('pause')).status, 409, 'a draft');
  assert.equal((await post('send')).status, 202);
  await bulkSends.freeze(t.app.db, [subscriberAudience(t.app)]);
  await sql`update emails set status = case when recipient = 'reader-0@example.com' then 'sending' else 'queued' end
    where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  const paused = await post('pause');
  assert.deepEqual(paused.body, { success: true, status: 'sending', paused: true, alreadyQueued: 1 });
  const { body } = await t.call('GET', `/${id}/issues/${issue.id}`);
  assert.deepEqual([body.stats.queued, body.stats.waiting, body.progress.state], [0, 2, 'paused']);
  const pauses = body.audit_log.filter(({ action }: Body) => action === 'paused');
  assert.deepEqual(
    pauses.map(({ details }: Body) => details),
    [{ already_queued: 1 }],
    'one entry',
  );
  assert.equal((await post('pause')).status, 409);
  assert.equal((await post('resume')).status, 200);
});

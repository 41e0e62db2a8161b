/** An issue goes out once, whoever asks for it, and however often. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { compareIssue, ISSUE_FLAWLESS } from './compare-issue.ts';
import { aList, anIssue, recordsOf, untilAnswered, watch } from './issue-rig.ts';
import { createRig } from './rig.ts';

const CALLS = 64;
const PEOPLE = 400;

test(`of ${CALLS} sends at the same time over two processes one sends, and each recipient gets one email`, {
  timeout: 300_000,
}, async (t) => {
  const rig = await createRig({ env: { POSTHORN_SEND_RATE: '100' } });
  undoAfter(t, rig.close);
  const api = await rig.start('api');
  const beside = await rig.startBeside();
  const list = await aList(rig, api, 'once', PEOPLE);
  const issuePath = await anIssue(api, list);
  // A request that waited too long for a connection is refused, and asks again.
  const sendOver = async (process: typeof api): Promise<number> =>
    (await untilAnswered(() => process.fetch(`${issuePath}/send`, { method: 'POST' }))).status;

  const statuses = await Promise.all(Array.from({ length: CALLS }, (_, n) => sendOver(n % 2 === 0 ? api : beside)));
  assert.deepEqual(
    Object.fromEntries([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length])),
    { 202: 1, 409: CALLS - 1 },
  );
  const watched = watch(api, issuePath);
  await watched.until(({ stats }) => stats.sent > 0);
  assert.deepEqual(await Promise.all([sendOver(api), sendOver(beside)]), [409, 409], 'while it is being sent');
  await watched.until(({ status, stats }) => status === 'sent' && stats.pending === 0);
  await watched.stop();
  assert.deepEqual(await Promise.all([sendOver(api), sendOver(beside)]), [409, 409], 'when it was sent');

  await rig.untilQuiet();
  const found = compareIssue(await recordsOf(rig, api, { list, issuePath, answers: watched.answers }));
  assertFound(found, { ...ISSUE_FLAWLESS, notFrozen: [], received: PEOPLE, status: 'sent' });
  const sends = await rig.query(`select count(*)::integer as n from send_requests where issue_id is not null`);
  assert.deepEqual(sends, [{ n: 1 }]);
  const notes = await rig.query(
    `select count(*)::integer as n from workspace_events where type = 'newsletter.issue.sent'`,
  );
  assert.deepEqual(notes, [{ n: 1 }]);
});

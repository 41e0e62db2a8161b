import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { Moment } from '#platform/moments.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { claimEmails } from '../worker/queries/claim-emails.ts';
import { cancelMailOfNewsletter, untilWithdrawn, withdrawSendsOfIssues } from './withdraw-sends.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
beforeEach(async () => {
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

async function anIssueEmail(given: {
  issueId?: string | null;
  newsletterId?: string;
  status?: string;
  bulk?: string | null;
}): Promise<{ emailId: string; sendId: string }> {
  const email = await anEmail(t.db, workspaceId, {
    status: given.status ?? 'queued',
    lane: given.bulk == null ? 0 : 2,
    source: 'issue',
  });
  await sql`update send_requests set newsletter_id = ${given.newsletterId ?? null}, issue_id = ${given.issueId ?? null},
      bulk_state = ${given.bulk ?? null} where workspace_id = ${workspaceId} and id = ${email.sendId}`.execute(t.db);
  return email;
}
const claim = () => claimEmails(t.db, { slots: 20, bulk: 1, leaseToken: newId(), leaseSeconds: 60 });
const statusOf = async (emailId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ status: string }>`
    select status from emails where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  return rows[0]?.status;
};
const settle = (emailId: string) =>
  sql`update emails set status = 'sent', lease_token = null, lease_until = null
    where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);

/** The database, and a moment at each of its answers. */
function watchedDb(): { db: Db; answered: Moment } {
  const answered = new Moment();
  const db = t.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      answered.occur();
      return result;
    },
  });
  return { db, answered };
}

test('no email of a withdrawn issue is claimed, even if it was in the queue; other issues are sent', async () => {
  const [issueId, otherIssue] = [newId(), newId()];
  const bulk = await anIssueEmail({ issueId, bulk: 'releasing' });
  const single = await anIssueEmail({ issueId });
  const other = await anIssueEmail({ issueId: otherIssue });
  const sends = await withdrawSendsOfIssues(t.db, workspaceId, [issueId]);
  assert.deepEqual(sends.toSorted(), [bulk.sendId, single.sendId].toSorted());
  const { emails } = await claim();
  assert.deepEqual(
    emails.map((email) => email.id),
    [other.emailId],
  );
  assert.deepEqual([await statusOf(bulk.emailId), await statusOf(single.emailId)], ['cancelled', 'cancelled']);
});

test('sends that have ended keep their counts and their emails', async () => {
  const issueId = newId();
  const released = await anIssueEmail({ issueId, bulk: 'released', status: 'delivered' });
  await anIssueEmail({ issueId, status: 'delivered' });
  assert.deepEqual(await withdrawSendsOfIssues(t.db, workspaceId, [issueId]), []);
  await sql`insert into send_counts (workspace_id, send_id, total, queued) values (${workspaceId}, ${released.sendId}, 1, 1)`.execute(
    t.db,
  );
  assert.deepEqual(await withdrawSendsOfIssues(t.db, workspaceId, [issueId]), [released.sendId]);
  assert.deepEqual(await withdrawSendsOfIssues(t.db, workspaceId, []), []);
  assert.deepEqual(await withdrawSendsOfIssues(t.db, await aWorkspace(t.db), [issueId]), [], 'another workspace');
});

test('the withdrawal waits for emails that a worker holds', async () => {
  const issueId = newId();
  const { emailId, sendId } = await anIssueEmail({ issueId, bulk: 'releasing' });
  assert.equal((await claim()).emails.length, 1);
  const sends = await withdrawSendsOfIssues(t.db, workspaceId, [issueId]);
  assert.deepEqual(sends, [sendId]);
  let over = false;
  const { db, answered } = watchedDb();
  const waiting = untilWithdrawn({ db, clock: systemClock, workspaceId }, sends).then(() => void (over = true));
  for (let answers = 0; answers < 4; answers += 1) await answered.next(); // it looks again and again
  assert.equal(over, false);
  await settle(emailId);
  await waiting;
  await untilWithdrawn({ db: t.db, clock: systemClock, workspaceId }, []);
});

test('the withdrawal waits for a claim that began before it and commits after it', async () => {
  const issueId = newId();
  const { emailId } = await anIssueEmail({ issueId, bulk: 'releasing' });
  const [claimed, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const claiming = inTransaction(t.db, async (tx) => {
    const { emails } = await claimEmails(tx, { slots: 20, bulk: 1, leaseToken: newId(), leaseSeconds: 60 });
    assert.deepEqual(
      emails.map((email) => email.id),
      [emailId],
    );
    claimed.resolve();
    await commit.promise;
  });
  await claimed.promise;
  const sends = await withdrawSendsOfIssues(t.db, workspaceId, [issueId]);
  let over = false;
  const { db, answered } = watchedDb();
  const waiting = untilWithdrawn({ db, clock: systemClock, workspaceId }, sends).then(() => void (over = true));
  const waitsForTheClaim = async (): Promise<boolean> => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
    return rows.length > 0;
  };
  while (!(await waitsForTheClaim())) assert.equal(over, false, 'nobody knew of the claim');
  assert.equal(over, false);
  const looked = answered.next();
  commit.resolve();
  await claiming;
  await looked;
  for (let answers = 0; answers < 3; answers += 1) await answered.next();
  assert.equal(over, false, 'the email is being handed over');
  await settle(emailId);
  await waiting;
  assert.equal(await statusOf(emailId), 'sent');
});

test('waiting confirmations and tests of a newsletter are cancelled page by page, and nothing else is', async () => {
  const newsletterId = newId();
  const waiting = await Promise.all(Array.from({ length: 3 }, () => anIssueEmail({ newsletterId })));
  const deferred = await anIssueEmail({ newsletterId, status: 'deferred' });
  const sent = await anIssueEmail({ newsletterId, status: 'sent' });
  const other = await anIssueEmail({ newsletterId: newId() });
  const inItsName = await anEmail(t.db, workspaceId);
  await sql`update send_requests set newsletter_id = ${newsletterId}
    where workspace_id = ${workspaceId} and id = ${inItsName.sendId}`.execute(t.db);
  const of = { workspaceId, newsletterId, now: new Date() };
  await cancelMailOfNewsletter(t.db, of, () => false);
  assert.equal(await statusOf(deferred.emailId), 'deferred', 'it ends when it is told to');
  await cancelMailOfNewsletter(t.db, of, () => true);
  for (const { emailId } of [...waiting, deferred]) assert.equal(await statusOf(emailId), 'cancelled');
  assert.deepEqual([await statusOf(sent.emailId), await statusOf(other.emailId)], ['sent', 'queued']);
  assert.equal(await statusOf(inItsName.emailId), 'queued', 'it was sent by itself, in the name of the newsletter');
});

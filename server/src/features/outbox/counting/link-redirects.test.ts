import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { withDatabase } from '../../../../test/harness/template.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { createLinkRedirects } from './link-redirects.ts';

const log = createLog({ level: 'silent' });
const LINK = 'https://acme.test/old';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

/** The click on the link of a send, which was redirected. */
async function aRedirect(target: string): Promise<{ sendId: string; click: Click }> {
  const { sendId, contentId } = await anEmail(t.db, workspaceId);
  await sql`insert into send_links (workspace_id, send_id, links)
    values (${workspaceId}, ${sendId}, ${JSON.stringify([LINK, target])})`.execute(t.db);
  await leadTo(sendId, target);
  return { sendId, click: { workspaceId, contentTail: contentId.slice(-12), target: LINK } };
}
type Click = Parameters<ReturnType<typeof createLinkRedirects>['leadsTo']>[0];

const leadTo = (sendId: string, target: string) =>
  sql`insert into link_redirects (workspace_id, send_id, link, target)
    values (${workspaceId}, ${sendId}, ${LINK}, ${target})
    on conflict (workspace_id, send_id, link) do update set target = ${target}, changed_at = clock_timestamp()`.execute(
    t.db,
  );

test('redirects that do not fit into memory are asked for by their clicks, and lead where they should', async () => {
  const clock = createTestClock();
  const keptChars = 1_000;
  const redirects = createLinkRedirects({ db: t.db, clock, log, keptChars });
  const made: { click: Click; sendId: string }[] = [];
  for (let number = 0; number < 20; number += 1) made.push(await aRedirect(`https://acme.test/new/${number}`));
  for (const order of [made, made.toReversed()]) {
    for (const { click } of order) {
      const expected = `https://acme.test/new/${made.findIndex((one) => one.click === click)}`;
      assert.equal(await redirects.leadsTo(click), expected);
      assert.ok(redirects.keptChars() <= keptChars, `${redirects.keptChars()} characters`);
    }
  }
  assert.equal(await redirects.leadsTo({ workspaceId, contentTail: newId().slice(-12), target: LINK }), LINK);
  const [first] = made;
  assert.ok(first);
  assert.equal(await redirects.leadsTo({ ...first.click, workspaceId: newId() }), LINK, 'of another workspace');

  await leadTo(first.sendId, 'https://acme.test/newest');
  clock.advance(1_000);
  assert.equal(await redirects.leadsTo(first.click), 'https://acme.test/newest', 'a change is in force after a second');
});

test('a mailing that was not redirected while its clicks were looked up is redirected a second after the change', async () => {
  const clock = createTestClock();
  const redirects = createLinkRedirects({ db: t.db, clock, log, keptChars: 1_000 });
  const { sendId, contentId } = await anEmail(t.db, workspaceId);
  await sql`insert into send_links (workspace_id, send_id, links)
    values (${workspaceId}, ${sendId}, ${JSON.stringify([LINK, 'https://acme.test/late'])})`.execute(t.db);
  const click = { workspaceId, contentTail: contentId.slice(-12), target: LINK };
  assert.equal(await redirects.leadsTo(click), LINK);
  await leadTo(sendId, 'https://acme.test/late');
  clock.advance(1_000);
  assert.equal(await redirects.leadsTo(click), 'https://acme.test/late');
});

test('without the database a link that is not in memory leads where its token says', async () => {
  const { click } = await aRedirect('https://acme.test/unseen');
  const url = withDatabase(t.url, 'posthorn_is_not_here');
  const own = openDatabase({ url, poolMax: 1, applicationName: 'test', log });
  const redirects = createLinkRedirects({ db: own.db, clock: createTestClock(), log, keptChars: 200 });
  assert.equal(await redirects.leadsTo(click), LINK);
  await own.close();
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { checkRefusals } from './check-refusals.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('a warning for each domain that refused much mail since yesterday, with the answer of its server', async () => {
  assert.deepEqual(
    (await checkRefusals(t.db)).map(({ id, status }) => [id, status]),
    [['refusals', 'ok']],
  );
  const workspaceId = await aWorkspace(t.db);
  // Told yesterday; told two days ago; never told, because the refusals were few.
  await sql`
    insert into policy_refusals (workspace_id, sender_domain, recipient_domain, day, refused, delivered, words, told_on)
    select ${workspaceId}, 'acme.example', receiver, day, refused, 0, '550 on our list', told_on
      from (select (now() at time zone 'UTC')::date as today) as days,
           lateral (values ('mail.example', today - 1, 40, today - 1), ('old.example', today - 2, 90, today - 2),
                           ('few.example', today, 3, null)) as given (receiver, day, refused, told_on)`.execute(t.db);
  const [found, ...others] = await checkRefusals(t.db);
  assert.deepEqual(others, []);
  assert.equal(found?.status, 'warning');
  assert.equal(
    found.cause,
    'mail.example refused 40 emails from acme.example. An answer of its server: “550 on our list”.',
  );
  assert.match(found.fix ?? '', /SPF, DKIM and DMARC records of acme\.example/);
});

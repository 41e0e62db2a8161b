import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { countLookedThrough, lookThroughEmails } from './queries/look-through-emails.ts';
import type { EmailFilter } from './queries/page-of-emails.ts';
import { NO_FILTER } from './test-kit.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const STATUSES = ['queued', 'deferred', 'sent', 'delivered', 'bounced'];
const SOURCES = ['api', 'batch', 'resend'];
const SENDERS = ['news@acme.example', 'hello@acme.example'];
const SUBJECTS = ['Your receipt', 'Welcome', 'Receipts of May'];
const TAGS = ['receipt', 'login'];

interface Made {
  id: string;
  status: string;
  source: string;
  from: string;
  subject: string;
  tag: string;
}

async function makeEmails(workspaceId: string, count: number): Promise<Made[]> {
  const made: Made[] = [];
  for (let n = 0; n < count; n += 1) {
    const pick = (values: readonly string[], step: number): string =>
      values[Math.floor(n / step) % values.length] ?? '';
    const one = {
      status: pick(STATUSES, 3),
      source: pick(SOURCES, 2),
      from: pick(SENDERS, 5),
      subject: pick(SUBJECTS, 7),
      tag: pick(TAGS, 11),
    };
    const { emailId, contentId } = await anEmail(database.db, workspaceId, { ...one, fromAddress: one.from });
    await sql`update contents set tags = ${JSON.stringify([{ name: 'kind', value: one.tag }])}::jsonb
      where workspace_id = ${workspaceId} and id = ${contentId}`.execute(database.db);
    made.unshift({ id: emailId, ...one });
  }
  return made;
}

/** A filter, and the same question about an email. */
const aFilter = fc
  .record({
    from: fc.constantFrom(null, ...SENDERS),
    subject: fc.constantFrom(null, 'receipt', 'WELCOME', 'nowhere'),
    tag: fc.constantFrom(null, ...TAGS),
    source: fc.constantFrom(null, ...SOURCES),
    statuses: fc.constantFrom<(string[] | null)[]>(null, ['bounced'], ['queued', 'deferred']),
  })
  .map((asked) => {
    const filter: EmailFilter = {
      ...NO_FILTER,
      ...asked,
      tag: asked.tag === null ? null : { name: 'kind', value: asked.tag },
    };
    const matches = (one: Made): boolean =>
      (asked.from === null || one.from === asked.from) &&
      (asked.subject === null || one.subject.toLowerCase().includes(asked.subject.toLowerCase())) &&
      (asked.tag === null || one.tag === asked.tag) &&
      (asked.source === null || one.source === asked.source) &&
      (asked.statuses === null || asked.statuses.includes(one.status));
    return { filter, matches };
  });

test('all pages of a filtered list are the whole list filtered, wherever a page stops looking', async () => {
  const workspaceId = await aWorkspace(database.db);
  const emails = await makeEmails(workspaceId, 60);
  await makeEmails(await aWorkspace(database.db), 5);
  const walk = async (filter: EmailFilter, limit: number, lookedAtMax: number): Promise<string[]> => {
    const found: string[] = [];
    for (let after: string | null = null, pages = 0; ; pages += 1) {
      assert.ok(pages <= emails.length + 1, 'the pages end');
      const span = { filter, since: null, until: null };
      const page = await lookThroughEmails(database.db, workspaceId, span, { limit, after }, lookedAtMax);
      found.push(...page.rows.slice(0, limit).map(({ id }) => id));
      after = page.rows.length > limit ? (found.at(-1) ?? null) : page.goOnAfter;
      if (after === null) return found;
    }
  };
  await fc.assert(
    fc.asyncProperty(
      aFilter,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 80 }),
      async ({ filter, matches }, limit, lookedAtMax) => {
        const expected = emails.filter(matches).map(({ id }) => id);
        assert.deepEqual(await walk(filter, limit, lookedAtMax), expected);
        const counted = await countLookedThrough(database.db, workspaceId, { filter, since: null, until: null });
        assert.equal(counted, expected.length);
      },
    ),
    { numRuns: propertyRuns({ test: 30, prove: 150 }) },
  );
});

test('400 for a page by its number where one look does not see the whole list', async () => {
  const workspaceId = await aWorkspace(database.db);
  await makeEmails(workspaceId, 4);
  const span = { filter: { ...NO_FILTER, from: SENDERS[0] ?? null }, since: null, until: null };
  const second = { limit: 1, offset: 1, after: null };
  await assert.rejects(lookThroughEmails(database.db, workspaceId, span, second, 3), /continue with cursor/);
  assert.equal((await lookThroughEmails(database.db, workspaceId, span, second, 5)).rows.length, 2);
});

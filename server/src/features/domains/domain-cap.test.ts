import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { AppError } from '#platform/errors/app-error.ts';
import { takeUsage } from '#platform/usage/take-usage.ts';
import { aDomain, aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { domainCapProblem, takesOfDomain } from './domain-cap.ts';
import type { SenderDomain } from './sender-domain.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const noon = new Date('2026-11-20T12:00:00Z');

async function aCapped(caps: SenderDomain['caps']): Promise<{ workspaceId: string; domain: SenderDomain }> {
  const workspaceId = await aWorkspace(t.db);
  const domainId = await aDomain(t.db, workspaceId, 'acme.com', caps);
  const domain = {
    domain: 'acme.com',
    domainId,
    sendingEnabled: true,
    caps,
    dkimSelector: null,
    hasKey: false,
    sendingStop: null,
    emailsPerMonth: null,
    tracking: { opens: false, clicks: false },
  };
  return { workspaceId, domain };
}

/** Takes as an accepted send does; 'kept', or the message of the refusal. */
async function reserve(workspaceId: string, domain: SenderDomain, recipients: number, now = noon): Promise<string> {
  const takes = takesOfDomain(workspaceId, domain, recipients, now);
  if (takes.length === 0) return 'no cap';
  try {
    await takeUsage(t.db, takes);
    return 'kept';
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.name, 'permission_error');
    assert.equal(error.extras.param, 'from');
    return error.message;
  }
}

const used = async (workspaceId: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ tier: string; used: number }>`
    select tier, used from usage_windows where workspace_id = ${workspaceId}`.execute(t.db);
  return Object.fromEntries(rows.map((row) => [row.tier, row.used]));
};

test('a cap is taken in recipients, and a request that does not fit whole takes nothing', async () => {
  const { workspaceId, domain } = await aCapped({ daily: 500, monthly: null });
  assert.equal(await reserve(workspaceId, domain, 499), 'kept');
  const refusal = 'daily limit of 500 reached for acme.com; resets 2026-11-21T00:00:00Z';
  assert.equal(await reserve(workspaceId, domain, 2), refusal);
  assert.deepEqual(await used(workspaceId), { daily: 499 });
  assert.equal(await domainCapProblem(t.db, workspaceId, domain, 2, noon), refusal);
  assert.equal(await domainCapProblem(t.db, workspaceId, domain, 1, noon), undefined);
  assert.equal(await reserve(workspaceId, domain, 1), 'kept');
});

test('a send that takes no place is kept when the cap was lowered below its count', async () => {
  const { workspaceId, domain } = await aCapped({ daily: 10, monthly: null });
  assert.equal(await reserve(workspaceId, domain, 5), 'kept');
  const lowered = { ...domain, caps: { daily: 2, monthly: null } };
  assert.match(await reserve(workspaceId, lowered, 1), /^daily limit of 2 reached/);
  assert.equal(await reserve(workspaceId, lowered, 0), 'kept');
  assert.equal(await domainCapProblem(t.db, workspaceId, lowered, 0, noon), undefined);
  assert.deepEqual(await used(workspaceId), { daily: 5 });
});

test('a full month refuses and leaves the day untouched', async () => {
  const { workspaceId, domain } = await aCapped({ daily: 100, monthly: 10 });
  assert.equal(await reserve(workspaceId, domain, 10), 'kept');
  assert.equal(
    await reserve(workspaceId, domain, 1),
    'monthly limit of 10 reached for acme.com; resets 2026-12-01T00:00:00Z',
  );
  assert.deepEqual(await used(workspaceId), { daily: 10, monthly: 10 });
});

test('the window begins anew at midnight and at the first of the month, in UTC', async () => {
  const { workspaceId, domain } = await aCapped({ daily: 1, monthly: 2 });
  assert.equal(await reserve(workspaceId, domain, 1, new Date('2026-11-29T23:59:59.999Z')), 'kept');
  assert.equal(await reserve(workspaceId, domain, 1, new Date('2026-11-30T00:00:00Z')), 'kept');
  assert.match(await reserve(workspaceId, domain, 1, new Date('2026-11-30T23:59:59Z')), /^(daily|monthly) limit/);
  assert.equal(await reserve(workspaceId, domain, 1, new Date('2026-12-01T00:00:00Z')), 'kept');
});

test('a cap of 0 blocks, and no cap takes no room', async () => {
  const blocked = await aCapped({ daily: 0, monthly: null });
  assert.match(await reserve(blocked.workspaceId, blocked.domain, 1), /^daily limit of 0 reached/);
  const free = await aCapped({ daily: null, monthly: null });
  assert.equal(await reserve(free.workspaceId, free.domain, 1_000), 'no cap');
});

test('of 20 parallel requests at the last place exactly one gets it', async () => {
  const { workspaceId, domain } = await aCapped({ daily: 100, monthly: 1_000 });
  assert.equal(await reserve(workspaceId, domain, 99), 'kept');
  const answers = await Promise.all(Array.from({ length: 20 }, () => reserve(workspaceId, domain, 1)));
  assert.equal(answers.filter((one) => one === 'kept').length, 1);
  assert.deepEqual(await used(workspaceId), { daily: 100, monthly: 100 });
});

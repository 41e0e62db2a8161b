import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { aWorkspace, people, queued, stateOf } from '../../test-kit.ts';
import { outcomeOf } from '../outcome.ts';
import { type ClaimedEmail, claimEmails } from './claim-emails.ts';
import { settleEmails } from './settle-emails.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('an outcome that comes after its lease was lost writes no event, also beside that of the present holder', async () => {
  const ws = await aWorkspace(t.db);
  const [id = ''] = await queued(t.db, ws, 'transactional', people(1));
  const { emails } = await claimEmails(t.db, { slots: 1, bulk: 0, leaseToken: newId(), leaseSeconds: 60 });
  const [present] = emails;
  assert.ok(present);
  const lost: ClaimedEmail = { ...present, leaseToken: newId() };
  const page = [
    outcomeOf(lost, { kind: 'refused', response: '550 no', code: 550 }, 0, 0.5),
    outcomeOf(present, { kind: 'accepted', providerMessageId: null, response: '250 ok' }, 0, 0.5),
  ].map((outcome) => ({ ...outcome, agoSeconds: 0 }));

  assert.equal(await settleEmails(t.db, page), 1);

  const state = await stateOf(t.db, ws, id);
  assert.equal(state.status, 'sent');
  assert.deepEqual(
    state.events.map(({ type }) => type),
    ['send'],
  );
});

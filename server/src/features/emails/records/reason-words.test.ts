import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonOf } from './reason-words.ts';

const reasonIn = (data: Record<string, unknown>) =>
  reasonOf({ id: 'a', sequence: 1, type: 'bounce', recipient: 'ada@example.com', at: new Date(0), data });

const bounceOf = (bounceSubType: string, diagnosticCode?: string) => ({
  bounce: { bounceType: 'Permanent', bounceSubType, bouncedRecipients: [{ diagnosticCode }] },
});

test('a reason is what the other server said, without the names of the provider that add nothing', () => {
  assert.equal(reasonIn(bounceOf('General', 'smtp; 550 5.1.1 user unknown.')), '550 5.1.1 user unknown');
  assert.equal(reasonIn(bounceOf('MailboxFull', 'smtp; 452 4.2.2 Mailbox full')), '452 4.2.2 Mailbox full');
});

test('a reason has the name of the provider for it where the other server said less', () => {
  assert.equal(reasonIn(bounceOf('MailboxFull', 'X-Postfix; 452 4.2.2 later')), '452 4.2.2 later (mailbox full)');
  assert.equal(reasonIn(bounceOf('OnAccountSuppressionList')), 'on account suppression list');
  assert.equal(reasonIn(bounceOf('General')), undefined);
});

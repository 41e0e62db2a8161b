import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';
import { type BounceKind, bounceKindOf } from './bounce-kind.ts';

const bounce = (type: string, subType: string, entry: Record<string, unknown> = {}): ProviderEvent => ({
  workspaceId: 'w',
  id: 'i',
  emailId: 'e',
  type: 'bounce',
  recipient: 'Ada@example.com',
  at: new Date(0),
  payload: {
    bounce: {
      bounceType: type,
      bounceSubType: subType,
      bouncedRecipients: [
        { emailAddress: 'bob@example.com', action: 'failed', status: '5.7.1' },
        { emailAddress: 'ada@example.com', ...entry },
      ],
    },
  },
  isKnown: false,
  providerMessageId: null,
  storedBefore: 0,
});

const TABLE: readonly [string, BounceKind, ProviderEvent][] = [
  ['user unknown', 'hard', bounce('Permanent', 'General', { action: 'failed', status: '5.1.1' })],
  ['no such address', 'hard', bounce('Permanent', 'NoEmail', { status: '5.7.1' })],
  ['on the list of the provider', 'hard', bounce('Permanent', 'OnAccountSuppressionList', { status: '5.7.1' })],
  ['permanent without a status', 'hard', bounce('Permanent', 'General')],
  [
    'permanent, mailbox blocked, with a status',
    'hard',
    bounce('Permanent', 'General', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 mailbox blocked' }),
  ],
  [
    'refused by policy for good',
    'policy',
    bounce('Permanent', 'General', { status: '5.7.1', diagnosticCode: 'smtp; 550 5.7.1 spam' }),
  ],
  [
    'refused as spam, the status only in the text',
    'policy',
    bounce('Permanent', 'General', { diagnosticCode: 'smtp; 550 5.7.26 unauthenticated' }),
  ],
  [
    'refused as spam, no status anywhere',
    'policy',
    bounce('Permanent', 'General', { diagnosticCode: 'smtp; 554 Message blocked, see spamhaus' }),
  ],
  ['mailbox full', 'soft', bounce('Transient', 'MailboxFull', { action: 'failed', status: '4.2.2' })],
  ['transient, general', 'soft', bounce('Transient', 'General', { status: '4.4.7' })],
  [
    'transient by policy',
    'policy',
    bounce('Transient', 'General', { status: '4.7.0', diagnosticCode: 'smtp; 421 4.7.0 try later' }),
  ],
  [
    'permanent by its status, and about us by its words',
    'policy',
    bounce('Permanent', 'General', {
      status: '5.1.1',
      diagnosticCode: 'smtp; 550 5.1.1 too many recipients this hour',
    }),
  ],
  [
    'permanent, and only full by its words',
    'soft',
    bounce('Permanent', 'General', { status: '5.1.1', diagnosticCode: 'smtp; 552 5.2.2 Over quota' }),
  ],
  [
    'permanent, in words nobody understands',
    'hard',
    bounce('Permanent', 'General', { status: '5.0.0', diagnosticCode: 'smtp; 554 Transaction failed' }),
  ],
  [
    'temporary, whatever it calls the address',
    'soft',
    bounce('Transient', 'General', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }),
  ],
  ['nobody knows', 'other', bounce('Undetermined', 'Undetermined')],
  [
    'nobody knows, spam in the text',
    'policy',
    bounce('Undetermined', 'Undetermined', { diagnosticCode: 'rejected: SPAM score 9' }),
  ],
  ['too large', 'other', bounce('Transient', 'MessageTooLarge', { status: '5.3.4' })],
  ['content', 'policy', bounce('Transient', 'ContentRejected')],
  ['attachment', 'policy', bounce('Transient', 'AttachmentRejected')],
  ['too large, called permanent', 'other', bounce('Permanent', 'MessageTooLarge')],
  ['out of office', 'other', bounce('Transient', 'OutOfOffice')],
  ['delayed only', 'other', bounce('Transient', 'General', { action: 'delayed', status: '4.4.1' })],
  ['delivered in truth', 'other', bounce('Permanent', 'General', { action: 'delivered', status: '2.0.0' })],
  ['a type of tomorrow', 'other', bounce('Quantum', 'General')],
  ['empty', 'other', { ...bounce('', ''), payload: {} }],
  ['nonsense', 'other', { ...bounce('', ''), payload: { bounce: { bounceType: 7, bouncedRecipients: 'x' } } }],
  ['another event', 'other', { ...bounce('Permanent', 'General'), type: 'delivery' }],
];

for (const [name, kind, event] of TABLE) {
  test(`a bounce is ${kind}: ${name}`, () => {
    assert.equal(bounceKindOf(event), kind);
  });
}

test('the entry of another recipient says nothing about this one', () => {
  const event = bounce('Transient', 'General', { status: '4.2.2' });
  assert.equal(bounceKindOf(event), 'soft');
  assert.equal(bounceKindOf({ ...event, recipient: 'bob@example.com' }), 'policy');
});

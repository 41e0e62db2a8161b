import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeReply, queueIdOf } from './judge-reply.ts';
import type { Stage } from './smtp-failure.ts';

const BODY_OR_ENVELOPE: Stage[] = ['mail', 'rcpt', 'data', 'body'];

test('"too fast" is throttled, in the words of those who say it', () => {
  for (const reply of [
    '454 Throttling failure: Maximum sending rate exceeded.',
    '421 4.7.28 Our system has detected an unusual rate of mail originating from your IP address',
    '450 4.7.1 Error: too much mail from 192.0.2.1',
    '451 4.7.500 Server busy. Please try again later: request rate is limited, too many messages',
    '452 4.5.3 Rate limit reached',
    '421 4.7.0 Error: too many connections from 192.0.2.1',
    '450 4.7.28 slow down',
  ]) {
    for (const stage of BODY_OR_ENVELOPE)
      assert.partialDeepStrictEqual(judgeReply(stage, reply), { kind: 'temporary', throttled: true }, reply);
  }
});

test('a used-up daily quota is throttled with a wait of ten minutes', () => {
  const wait = { kind: 'temporary', throttled: true, retryAfterSeconds: 600 };
  assert.partialDeepStrictEqual(judgeReply('body', '454 Throttling failure: Daily message quota exceeded.'), wait);
  assert.partialDeepStrictEqual(judgeReply('data', '550 5.4.5 Daily user sending limit exceeded'), wait);
});

test('a full or greylisting mailbox and a crowded message are temporary, not throttled: others go on', () => {
  for (const reply of [
    '452 4.2.2 The email account that you tried to reach is over quota',
    '450 4.2.1 mailbox receives mail too fast, too many messages',
    '452 4.5.3 Error: too many recipients',
    '450 4.7.1 Greylisted, please try again in 5 minutes',
    '452 4.3.1 Insufficient system storage',
    '451 4.3.0 Temporary lookup failure',
  ])
    assert.partialDeepStrictEqual(judgeReply('rcpt', reply), { kind: 'temporary', throttled: false }, reply);
});

test('a 5xx about this message or its recipient is refused', () => {
  for (const reply of [
    '550 5.1.1 <ada@example.net>: Recipient address rejected: User unknown',
    '553 5.1.3 bad address syntax',
    '552 5.3.4 Message size exceeds fixed limit',
    '554 Message rejected: Email address is not verified.',
    '554 5.6.0 Message contains invalid header',
    '556 5.1.10 Domain does not accept mail',
    '550 5.7.1 Message rejected as spam by content filtering',
  ]) {
    for (const stage of BODY_OR_ENVELOPE) assert.equal(judgeReply(stage, reply).kind, 'refused', reply);
  }
});

test('a 5xx that would meet every message is temporary: nothing is marked failed for the operator’s trouble', () => {
  for (const reply of [
    '530 5.7.0 Must issue a STARTTLS command first',
    '535 5.7.8 Authentication credentials invalid',
    '503 5.5.1 Error: need MAIL command',
    '502 5.5.2 Error: command not recognized',
    '521 5.3.2 this host never accepts mail',
    '554 5.7.1 <ada@example.net>: Relay access denied',
    '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain',
    '550 5.7.60 SMTP; Client does not have permissions to send as this sender',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example',
    '554 5.7.1 <mail.example.com[192.0.2.1]>: Client host rejected: Access denied',
    '554 Message rejected: Sending paused for this account.',
    '550 5.3.2 System not accepting network messages',
    '552 too many recipients',
  ]) {
    for (const stage of BODY_OR_ENVELOPE) assert.equal(judgeReply(stage, reply).kind, 'temporary', reply);
  }
});

test('while connecting and signing in nothing is ever refused', () => {
  for (const stage of ['connect', 'auth'] as const) {
    for (const reply of ['554 5.7.1 go away', '550 5.1.1 user unknown', '535 5.7.8 no', '500 what'])
      assert.partialDeepStrictEqual(judgeReply(stage, reply), { kind: 'temporary', throttled: false }, reply);
  }
  assert.partialDeepStrictEqual(judgeReply('auth', '454 4.7.0 too many login attempts'), { throttled: false });
});

test('an error without an SMTP reply is unknown after the message and temporary before it', () => {
  for (const reply of ['<html>', 'OK', '25', '2500 x', '354 go on', '250']) {
    assert.equal(judgeReply('body', reply).kind, 'unknown', reply);
    assert.equal(judgeReply('mail', reply).kind, 'temporary', reply);
  }
});

test('the server’s own id of a message is read from its reply', () => {
  assert.equal(queueIdOf('250 2.0.0 Ok: queued as 4cXyZ12abc'), '4cXyZ12abc');
  assert.equal(queueIdOf('250 OK id=1tAbCd-000000001Zx-2Yz0'), '1tAbCd-000000001Zx-2Yz0');
  assert.equal(
    queueIdOf('250 Ok 0100018f2c9a7f3e-6f1c2b1e-1111-2222-3333-444444444444-000000'),
    '0100018f2c9a7f3e-6f1c2b1e-1111-2222-3333-444444444444-000000',
  );
  assert.equal(queueIdOf('250 thanks'), null);
});

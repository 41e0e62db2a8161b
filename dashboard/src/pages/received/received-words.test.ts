import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipped, noteOf, resultWords, senderVerdict, whyNoAnswer } from './received-words.ts';

const auth = (dmarc: string) => ({ spf: 'pass', dkim: 'pass', dmarc, arc: 'none' });

test('DMARC alone decides whether From can be believed', () => {
  assert.equal(senderVerdict(auth('pass')).tone, 'ok');
  assert.equal(senderVerdict(auth('fail')).tone, 'bad');
  for (const dmarc of ['none', 'temperror', 'permerror']) assert.equal(senderVerdict(auth(dmarc)).tone, 'warn');
  assert.equal(senderVerdict(null).tone, 'quiet');
});

test('an unknown result keeps its own name', () => {
  assert.deepEqual(resultWords('hardfail'), { label: 'hardfail', tone: 'quiet' });
});

test('a row says that a message is not read before it says that it is an answer', () => {
  const answer = { status: 'read', parse_error: null, auto_submitted: false, in_reply_to_email_id: '1' } as const;
  assert.equal(noteOf(answer)?.label, 'An answer');
  assert.equal(noteOf({ ...answer, auto_submitted: true })?.label, 'By a program');
  assert.equal(noteOf({ ...answer, parse_error: 'too deep' })?.label, 'Not readable');
  assert.equal(noteOf({ ...answer, status: 'waiting' })?.label, 'Being read');
  assert.equal(noteOf({ ...answer, in_reply_to_email_id: null }), undefined);
});

test('mail of people can be answered, mail of programs cannot', () => {
  const from = { email: 'ada@example.com', name: null };
  const mail = { status: 'read', auto_submitted: false, from, reply_to: [] } as const;
  assert.equal(whyNoAnswer({ ...mail, reply_to: [] }), undefined);
  assert.match(whyNoAnswer({ ...mail, reply_to: [], auto_submitted: true }) ?? '', /program/);
  assert.match(whyNoAnswer({ ...mail, reply_to: [], status: 'waiting' }) ?? '', /being read/);
  assert.match(whyNoAnswer({ ...mail, reply_to: [], from: null }) ?? '', /whom/);
  assert.equal(whyNoAnswer({ ...mail, reply_to: [from], from: null }), undefined);
});

test('a short text is shown whole, and a long one by its beginning', () => {
  assert.equal(clipped('\nOn Friday.\n'), 'On Friday.');
  assert.match(clipped('word '.repeat(1_000)), /^(?:word ){119}word …$/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailWords } from './detail-words.ts';

test('the counts of the log of a broadcast are words, and anything else is left to be shown as it is', () => {
  const page = { page: 1, sent: 40, failed: 1, skipped_unsubscribed: 2 };
  assert.equal(detailWords(page), 'Page 1, 40 to send, 1 not sent, 2 had left');
  assert.equal(detailWords({ total_failed: 0, total_recipients: 1 }), '1 recipient, 0 not sent');
  assert.match(
    detailWords({ total_recipients: 2, first_start_at: '2026-12-01T08:00:00Z' }) ?? '',
    /^2 recipients, the first at .*2026/,
  );
  assert.equal(detailWords({ total: 3 }), '3 recipients');
  assert.equal(detailWords({ queued: 1 }), '1 email queued again');
  assert.equal(detailWords({ ...page, reason: 'none' }), undefined);
  assert.equal(detailWords({}), undefined);
});

test('times of a schedule, the cause of a pause or a failure, and where a mail comes from are words', () => {
  const at = '2026-12-01T08:00:00Z';
  assert.match(detailWords({ scheduled_for: at, was: null }) ?? '', /^For .*2026/);
  const moved = { scheduled_for: at, was: at, zone_rules: { from: '2026a', to: '2026b' } };
  assert.match(detailWords(moved) ?? '', /^For .*2026.*, before for .*, by new rules of the time zone$/);
  assert.equal(detailWords({ error: 'The list is gone.', code: 'list_gone' }), 'The list is gone.');
  assert.equal(detailWords({ reason: 'Too many bounces.', code: 'reputation', resumes_at: null }), 'Too many bounces.');
  assert.match(
    detailWords({ reason: 'Paused.', code: 'x', resumes_at: at }) ?? '',
    /^Paused\. It goes on at .*2026.*\.$/,
  );
  assert.equal(detailWords({ duplicate_of: 'id' }), 'As a copy of another one');
  const corrects = { id: 'id', content_version: 1 };
  assert.equal(detailWords({ corrects }), 'As a correction of another one for those who got version 1');
});

test('changed fields are words with their values, and so is a link that leads elsewhere', () => {
  const changes = { from: { before: null, after: 'Acme <a@b.example>' } };
  assert.equal(detailWords({ fields: ['from', 'html'], changes }), 'From: none → “Acme <a@b.example>”; HTML');
  assert.equal(detailWords({ fields: ['subject'], version: 2 }), 'Version 2: subject');
  assert.equal(detailWords({ fields: ['html_body', 'editor'] }), 'HTML body, editor');
  assert.equal(detailWords({ fields: ['subject'], other: 1 }), undefined);
  const redirect = { to: 'https://e.example/iron', was: 'https://e.example/pans', from: 'https://e.example/pans' };
  assert.equal(detailWords(redirect), 'https://e.example/pans leads to https://e.example/iron');
});

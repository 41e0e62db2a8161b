import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOfLimits, problemOfLimit, valuesOfLimits } from './limits-form.ts';

test('an empty limit is none, and 0 is 0', () => {
  assert.deepEqual(bodyOfLimits({ maxDailyEmails: ' ', maxMonthlyEmails: '0' }), {
    maxDailyEmails: null,
    maxMonthlyEmails: 0,
  });
  assert.deepEqual(valuesOfLimits({ max_daily_emails: 0, max_monthly_emails: null }), {
    maxDailyEmails: '0',
    maxMonthlyEmails: '',
  });
});

test('a number may have separators of thousands', () => {
  assert.equal(problemOfLimit('10,000'), null);
  assert.deepEqual(bodyOfLimits({ maxDailyEmails: '10,000', maxMonthlyEmails: '1 000 000' }), {
    maxDailyEmails: 10_000,
    maxMonthlyEmails: 1_000_000,
  });
});

test('a text that is no number is refused: as JSON it would be no limit', () => {
  for (const text of ['ten', '1.5', '-1', '1e3', '10,00', 'NaN']) assert.notEqual(problemOfLimit(text), null, text);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startsWords } from './starts-words.ts';

const now = Date.parse('2026-12-01T04:00:00Z');
const asked = { clock: '09:00', zone: 'Europe/Berlin', now };
const start = (at: string, recipients: number) => ({ at: `2026-12-01T${at}:00.000Z`, recipients });

test('the words name the first and the last instant, and warn of contacts who get it at another time', () => {
  const starts = [start('04:00', 2), start('08:00', 5), start('14:00', 1)];
  const { text, isWarning } = startsWords({ will_send: 8, without_timezone: 3, starts }, asked);
  assert.match(text, /^It leaves at 3 times: first at .+ for 2 people, last at .+ for 1 person\./);
  assert.match(
    text,
    /3 people without a time zone: at 09:00 in Europe\/Berlin\. Where 09:00 has passed, 2 people: at once\.$/,
  );
  assert.equal(isWarning, true);
});

test('one instant for all, or nobody at all, is said as it is', () => {
  const one = startsWords({ will_send: 5, without_timezone: 0, starts: [start('08:00', 5)] }, asked);
  assert.match(one.text, /^All 5 people get it at [^.]+\.$/);
  assert.equal(one.isWarning, false);
  assert.equal(startsWords({ will_send: 0, without_timezone: 0, starts: [] }, asked).isWarning, true);
});

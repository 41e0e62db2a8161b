import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitEvents } from '../notifications/fit-events.ts';
import { aNotification, EMAIL, plain, read } from './test-kit.ts';

test('a bounce that names nobody is about the one person its email was for', async () => {
  const result = await read(aNotification(plain('Hi. This is the qmail-send program at example.com.\nUser unknown.')));
  assert.ok(result.kind === 'events');
  const email = { ...EMAIL, place: 0, recipient: 'ada@example.com', grouped: null, opens: 0, clicks: 0 };
  const fitted = fitEvents(result.events.map((event) => ({ event, emails: [email] }))) ?? [];
  assert.equal(fitted.length, 1);
  assert.partialDeepStrictEqual(fitted[0], {
    recipient: 'ada@example.com',
    payload: {
      bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: 'ada@example.com', action: 'failed' }] },
    },
  });
});

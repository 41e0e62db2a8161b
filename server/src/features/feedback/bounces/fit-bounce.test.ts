import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitEvents } from '../notifications/fit-events.ts';
import type { ToldEmail } from '../queries/find-told-emails.ts';
import { bounceKindOf } from '../suppressing/bounce-kind.ts';
import { aNotification, dsn, EMAIL, fields, plain, read } from './test-kit.ts';

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

const to = (address: string) => ({ address, name: null });
const ALONE: ToldEmail = { ...EMAIL, place: 0, recipient: 'ada@example.com', grouped: null, opens: 0, clicks: 0 };
const SHARED: ToldEmail = {
  ...ALONE,
  grouped: { to: [to('ada@example.com'), to('bob@example.com')], cc: [], bcc: [to('cy@example.com')] },
};

/** Recipient and kind of each bounce that a message tells of an email. */
async function kindsOf(mail: string, email: ToldEmail): Promise<string[]> {
  const result = await read(aNotification(mail));
  assert.ok(result.kind === 'events');
  const fitted = fitEvents(result.events.map((event) => ({ event, emails: [email] }))) ?? [];
  return fitted.map((event) => {
    const kind = bounceKindOf({ ...event, id: 'i', isKnown: false, storedBefore: 0 });
    return `${event.recipient} ${kind}`;
  });
}
const aboutTwo = plain(
  'Hi. This is the qmail-send program at example.com.\n\n<ada@example.com>:\nuser unknown (#5.1.1)\n\n<bob@example.com>:\nblocked as spam (#5.7.1)\n',
);

test('a bounce that reports the address of a private copy as gone is hard', async () => {
  assert.deepEqual(await kindsOf(dsn({ fields: fields('5.1.1', 'smtp; 550 user unknown') }), ALONE), [
    'ada@example.com hard',
  ]);
});

test('recipients who share a return path can report each other as gone only for the time being', async () => {
  const report = dsn({ fields: fields('5.1.1', 'smtp; 550 user unknown', 'failed', 'bob@example.com') });
  assert.deepEqual(await kindsOf(report, SHARED), ['bob@example.com soft']);
  assert.deepEqual(await kindsOf(aboutTwo, SHARED), ['ada@example.com soft', 'bob@example.com policy']);
});

test('one reason below two addresses says nothing about either', async () => {
  const oneReason = plain('Hi. This is the qmail-send program.\n\nada@example.com\nbob@example.com\n\nUser unknown\n');
  assert.deepEqual(await kindsOf(oneReason, SHARED), ['ada@example.com other', 'bob@example.com other']);
});

test('everything that a text says is about the one person its email was for, whoever else it names', async () => {
  const forwarded = plain(
    'Hi. This is the qmail-send program.\n\nada@example.com, forwarded to ada@elsewhere.example: user unknown (#5.1.1)\n',
  );
  assert.deepEqual(await kindsOf(forwarded, ALONE), ['ada@example.com hard']);
});

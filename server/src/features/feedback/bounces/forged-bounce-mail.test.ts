import assert from 'node:assert/strict';
import { test } from 'node:test';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import {
  aNotification,
  arf,
  dsn,
  EMAIL,
  fields,
  plain,
  read,
  RETURN_PATH,
  RETURNED,
  summary,
  wire,
} from './test-kit.ts';

const GONE = 'bounce Permanent/General ada@example.com';
const UNCLEAR = 'bounce Undetermined/Undetermined ada@example.com';

const broken: readonly [what: string, mail: string | Buffer, expected: string][] = [
  [
    'a report without a recipient',
    dsn({ fields: 'Action: failed\nStatus: 5.1.1' }),
    'malformed: a delivery report without a recipient and what became of it',
  ],
  [
    'an action nobody knows',
    dsn({ fields: fields('5.1.1', 'smtp; 550 no', 'exploded') }),
    'malformed: a delivery report without a recipient and what became of it',
  ],
  [
    'a status that is none, and a text that would suppress',
    dsn({ fields: fields('9.9.9', 'smtp; 550 5.1.1 user unknown') }),
    UNCLEAR,
  ],
  ['a status of success that failed', dsn({ fields: fields('2.0.0', 'smtp; 550 5.1.1 user unknown') }), UNCLEAR],
  ['an empty report', dsn({ status: '' }), 'malformed: a delivery report without a recipient and what became of it'],
  [
    'a report type without its part',
    dsn({ fields: '' }).replace('message/delivery-status', 'text/x-nothing').replace('could not be delivered', 'x'),
    'bounce Undetermined/Undetermined ',
  ],
  [
    '10,000 nested multiparts',
    Array.from({ length: 10_000 }, (_, n) => `Content-Type: multipart/report; boundary=b${n}\n\n--b${n}\n`).join(''),
    'malformed: Maximum MIME nesting depth of 12 levels exceeded',
  ],
  [
    'base64 that is none',
    dsn({ fields: '=\u0000%%%' }).replace(
      'Content-Type: message/delivery-status\n',
      'Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n',
    ),
    'malformed: a delivery report without a recipient and what became of it',
  ],
  ['NUL where a text should be', dsn({ fields: fields('5.1.1', 'smtp; 550 user\0unknown \ud800') }), GONE],
  ['nothing', '', 'ignored: no report'],
  ['only zeros', Buffer.alloc(300_000), 'ignored: no report'],
  ['a feedback report without its type', arf({ type: 'X: y' }), 'malformed: a feedback report without its type'],
  [
    'a feedback type with a script in it',
    arf({ type: 'Feedback-Type: <script>' }),
    'malformed: a feedback report without its type',
  ],
  ['a complaint without the original headers', arf({ returned: 'X: y' }), 'complaint ada@example.com'],
];
/** Reads a message; with what that cost this thread, in milliseconds: a busy machine does not count. */
async function readTimed(mail: string | Buffer): Promise<{ result: Awaited<ReturnType<typeof read>>; ms: number }> {
  const before = process.threadCpuUsage();
  const result = await read(aNotification(mail));
  const { user, system } = process.threadCpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
}

for (const [what, mail, expected] of broken)
  test(`broken: ${what}`, async () => {
    assert.equal(await summary(mail), expected);
  });

test('a report of 10,000 recipients is read up to a thousand, in bounded time', async () => {
  const many = Array.from(
    { length: 10_000 },
    (_, n) => `Final-Recipient: rfc822;u${n}@example.com\nAction: failed\nStatus: 5.1.1\n`,
  );
  const { result, ms } = await readTimed(dsn({ fields: many.join('\n') }));
  assert.ok(result.kind === 'events');
  assert.equal(result.events.length, 1_000);
  assert.ok(ms < 2_000, `${ms} ms`);
});

test('stored texts have no control or half characters and at most a thousand characters', async () => {
  for (const start of ['smtp; 550 \u0007', 'smtp; 550 x\u0007']) {
    const said = `${start}${'💥'.repeat(5_000)}`;
    const result = await read(aNotification(dsn({ mta: 'dns; \u0000mx', fields: fields('5.1.1', said) })));
    assert.ok(result.kind === 'events');
    const payload = JSON.stringify(result.events[0]?.payload);
    assert.doesNotMatch(payload, /\\u00[01]|\\ud[89a-f]/);
    assert.ok(payload.length < 1_600, `${payload.length}`);
  }
});

test('the event is complete, and its time is that of the arrival', async () => {
  const result = await read(aNotification(dsn({ fields: fields('5.1.1', 'smtp; 550 5.1.1 user unknown') })));
  assert.ok(result.kind === 'events');
  const [event] = result.events;
  assert.partialDeepStrictEqual(event, {
    ...EMAIL,
    type: 'bounce',
    recipient: 'ada@example.com',
    at: new Date('2026-11-21T10:00:00Z'),
    providerMessageId: null,
  });
  assert.deepEqual(event?.payload, {
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        {
          emailAddress: 'ada@example.com',
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        },
      ],
      timestamp: '2026-11-21T10:00:00.000Z',
      feedbackId: 'the-notification',
      reportingMTA: 'dns; mx.example.net',
    },
  });
});

test('the same news told twice is one event, two delays are two', async () => {
  const keyOf = async (mail: string, id: string): Promise<string | null | undefined> => {
    const result = await read(aNotification(mail, { id }));
    return result.kind === 'events' ? result.events[0]?.semanticKey : undefined;
  };
  const failed = dsn({ fields: fields('5.1.1', 'smtp; 550 no') });
  const later = dsn({ fields: fields('5.1.1', 'smtp; 550 in other words', 'failed', 'ADA@example.com') });
  assert.equal(await keyOf(failed, 'one'), await keyOf(later, 'two'));
  const delayed = dsn({ fields: fields('4.4.1', 'X-Postfix; later', 'delayed') });
  assert.notEqual(await keyOf(delayed, 'one'), await keyOf(delayed, 'two'));
});

const forged: readonly [what: string, envelopeTo: string | null, mail: string][] = [
  ['to no address', null, dsn({ fields: fields('5.1.1', 'smtp; 550 no') })],
  ['to a person', 'postmaster@bounces.example.com', dsn({ fields: fields('5.1.1', 'smtp; 550 no') })],
  [
    'to a return path with a letter changed',
    RETURN_PATH.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@')),
    dsn({ fields: fields('5.1.1', 'smtp; 550 no') }),
  ],
  [
    'a bounce at the address of feedback loops, with a good return path in what it returns',
    'feedback@bounces.example.com',
    dsn({ fields: fields('5.1.1', 'smtp; 550 no') }),
  ],
  [
    'a complaint with our Message-ID and no return path',
    'feedback@bounces.example.com',
    arf({ fields: 'Original-Rcpt-To: ada@example.com\n', returned: RETURNED.replace(RETURN_PATH, 'x@y.example') }),
  ],
  [
    'a complaint with a return path that was made up',
    'feedback@bounces.example.com',
    arf({ fields: `Original-Mail-From: <${'b'.repeat(64)}@bounces.example.com>\n`, returned: '' }),
  ],
];
for (const [what, envelopeTo, mail] of forged)
  test(`forged: ${what} says nothing about anybody`, async () => {
    const result = await read(aNotification(mail, { envelopeTo }));
    assert.deepEqual(result, { kind: 'malformed', note: 'it came to no return path of ours' });
  });

test('a complaint at the address of feedback loops is about the email whose return path it carries', async () => {
  const result = await read(aNotification(arf({}), { envelopeTo: 'feedback@bounces.example.com' }));
  assert.ok(result.kind === 'events');
  assert.partialDeepStrictEqual(result.events, [{ ...EMAIL, type: 'complaint', recipient: 'ada@example.com' }]);
});

test('whatever is done to a sample, it is read in time and nothing is thrown', async () => {
  const whole = [
    dsn({ fields: fields('5.1.1', 'smtp; 550 no') }),
    dsn({ fields: fields('4.4.1', 'X-Postfix; later', 'delayed') }),
    arf({}),
    plain('Hi. This is the qmail-send program.\n\n<ada@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)'),
  ];
  const samples = [...whole, ...whole, ...broken.map(([, mail]) => mail)].map((one) =>
    typeof one === 'string' ? wire(one) : one,
  );
  let seed = 20_261_121;
  const dice = (sides: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >>> 8) % sides;
  };
  let worstMs = 0;
  const rounds = propertyRuns({ test: 400, prove: 1_000 });
  for (let round = 0; round < rounds; round += 1) {
    const one = Buffer.from(samples[dice(samples.length)]!); // an index of samples
    const other = samples[dice(samples.length)]!; // an index of samples
    for (let change = dice(6); change >= 0 && one.length > 0; change -= 1) {
      const at = dice(one.length);
      if (dice(3) === 0) one[at] = dice(256);
      else if (dice(2) === 0) one.copyWithin(at, dice(one.length));
      else other.copy(one, at, dice(other.length + 1));
    }
    const { result, ms } = await readTimed(one);
    worstMs = Math.max(worstMs, ms);
    for (const event of result.kind === 'events' ? result.events : []) {
      assert.partialDeepStrictEqual(event, EMAIL);
      assert.doesNotMatch(JSON.stringify(event.payload), /\\u0000|\\ud[89a-f]/);
    }
  }
  assert.ok(worstMs < 2_000, `${worstMs} ms`);
});

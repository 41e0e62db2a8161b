import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '#platform/clock.ts';
import type { EmailProvider, OutgoingMessage } from './email-provider.ts';

/** A provider with an other side that can be looked at, and stopped from answering. */
export interface ProviderUnderTest {
  /** Not started yet. */
  provider: EmailProvider;
  /** A message that the other side takes; `change` overrides parts of it. */
  message(change?: Partial<OutgoingMessage>): OutgoingMessage;
  /** The messages that the other side has taken so far. */
  received(): Promise<{ from: string; to: string[]; mime: Buffer }[]>;
  /** Makes the other side take bytes and answer nothing; the returned function ends that. */
  stall(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const DEADLINE = { deadlineMs: 10_000 };

/** The obligations of EmailProvider as tests: every implementation passes them. */
export function conformance(name: string, makeProvider: () => Promise<ProviderUnderTest>): void {
  suite(`${name} keeps the contract of an email provider`, () => {
    let under: ProviderUnderTest;
    before(async () => {
      under = await makeProvider();
      // Stopping what never started, and starting twice, are the first things that happen to it.
      await under.provider.stop();
      const early = await under.provider.send(under.message(), DEADLINE);
      assert.equal(early.kind, 'temporary', 'a send before start is temporary');
      await under.provider.start();
      await under.provider.start();
    });
    after(async () => {
      await under.provider.stop();
      await under.close();
    });

    const receivedWith = async (to: string): Promise<{ from: string; to: string[]; mime: Buffer }[]> =>
      (await under.received()).filter((message) => message.to.includes(to));

    test('a message that the other side took is accepted, once', async () => {
      const verdict = await under.provider.send(
        under.message({ envelope: { from: 'shop@example.com', to: ['once@example.net'] } }),
        DEADLINE,
      );
      assert.equal(verdict.kind, 'accepted');
      assert.ok(verdict.response.length > 0);
      assert.equal((await receivedWith('once@example.net')).length, 1);
    });

    test('an envelope of several recipients goes as one message', async () => {
      const to = ['ada@example.net', 'bob@example.net', 'cleo@example.net'];
      const verdict = await under.provider.send(
        under.message({ envelope: { from: 'shop@example.com', to } }),
        DEADLINE,
      );
      assert.equal(verdict.kind, 'accepted');
      const [message, ...more] = await receivedWith('cleo@example.net');
      assert.deepEqual(message?.to, to);
      assert.equal(message?.from, 'shop@example.com');
      assert.equal(more.length, 0);
    });

    test('the bytes arrive unchanged: dots, long lines, eight bits, a megabyte', async () => {
      const head =
        'From: shop@example.com\r\nSubject: bytes\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n';
      const bodies = [
        '.\r\n..\r\n.leading dot\r\ntrailing dot.\r\n.\r\n',
        `${'x'.repeat(998)}\r\n`,
        'Grüße aus Köln, 你好\r\n',
        '\r\n\r\n\r\n',
        `${'0123456789abcdef'.repeat(4)}\r\n`.repeat(16_000),
      ];
      for (const [index, body] of bodies.entries()) {
        const to = `bytes-${index}@example.net`;
        const mime = Buffer.from(head + body);
        const verdict = await under.provider.send(
          under.message({ envelope: { from: 'shop@example.com', to: [to] }, mime }),
          DEADLINE,
        );
        assert.equal(verdict.kind, 'accepted');
        const [message] = await receivedWith(to);
        assert.ok(message?.mime.equals(mime), `message ${index} was changed on the way`);
      }
    });

    test('fifty sends at once each get their own answer, and each arrives once', async () => {
      const recipients = Array.from({ length: 50 }, (_, index) => `parallel-${index}@example.net`);
      const verdicts = await Promise.all(
        recipients.map((to) =>
          under.provider.send(under.message({ envelope: { from: 'shop@example.com', to: [to] } }), DEADLINE),
        ),
      );
      assert.deepEqual(new Set(verdicts.map((verdict) => verdict.kind)), new Set(['accepted']));
      const arrived = (await under.received())
        .flatMap((message) => message.to)
        .filter((to) => to.startsWith('parallel-'));
      assert.deepEqual(arrived.sort(), recipients.sort());
    });

    test('a send answers by its deadline when the other side does not', async () => {
      const goOn = await under.stall();
      try {
        const startedMs = performance.now();
        const verdict = await under.provider.send(
          under.message({ envelope: { from: 'shop@example.com', to: ['late@example.net'] } }),
          { deadlineMs: 300 },
        );
        const tookMs = performance.now() - startedMs;
        assert.ok(verdict.kind === 'unknown' || verdict.kind === 'temporary', verdict.kind);
        // The other side says nothing until it is told to go on: a send without an end of its own never ends.
        assert.ok(tookMs < 5_000, `it took ${Math.round(tookMs)} ms`);
      } finally {
        await goOn();
      }
      const again = await under.provider.send(under.message(), DEADLINE);
      assert.equal(again.kind, 'accepted', 'it carries mail again afterwards');
    });

    test('a deadline that has passed is temporary, and nothing goes out', async () => {
      const verdict = await under.provider.send(
        under.message({ envelope: { from: 'shop@example.com', to: ['past@example.net'] } }),
        { deadlineMs: 0 },
      );
      assert.equal(verdict.kind, 'temporary');
      assert.deepEqual(await receivedWith('past@example.net'), []);
    });

    const withGate = (to: string, untilMs: number | null, isOnRecord = true) =>
      under.provider.send(under.message({ envelope: { from: 'shop@example.com', to: [to] } }), {
        ...DEADLINE,
        gate: { mayBegin: async () => untilMs, isOnRecord: async () => isOnRecord },
      });

    test('a message whose gate is open and on record is accepted', async () => {
      const verdict = await withGate('gate-open@example.net', systemClock.monotonicMs() + 10_000);
      assert.equal(verdict.kind, 'accepted');
      assert.equal((await receivedWith('gate-open@example.net')).length, 1);
    });

    test('a gate that says no, or that cannot put it on record, is no beginning, and nothing goes out', async () => {
      const verdicts = [
        await withGate('gate-shut@example.net', null),
        await withGate('gate-shut@example.net', systemClock.monotonicMs() + 10_000, false),
      ];
      assert.deepEqual(
        verdicts.map((verdict) => verdict.kind),
        ['not-begun', 'not-begun'],
      );
      assert.deepEqual(await receivedWith('gate-shut@example.net'), []);
    });

    test('a process that stood still between its gate and the message, past the end, begins nothing', async () => {
      const verdict = await withGate('stood-still@example.net', systemClock.monotonicMs() - 1);
      assert.equal(verdict.kind, 'not-begun');
      assert.deepEqual(await receivedWith('stood-still@example.net'), []);
    });

    test('stop lets what is on its way come to its end', async () => {
      const sending = under.provider.send(
        under.message({ envelope: { from: 'shop@example.com', to: ['leaving@example.net'] } }),
        DEADLINE,
      );
      await under.provider.stop();
      const verdict = await sending;
      const arrived = await receivedWith('leaving@example.net');
      if (verdict.kind === 'accepted') assert.equal(arrived.length, 1);
      else {
        assert.equal(verdict.kind, 'temporary');
        assert.equal(arrived.length, 0);
      }
    });

    test('after stop a send is temporary and nothing goes out; stopping again does nothing', async () => {
      await under.provider.stop();
      await under.provider.stop();
      const verdict = await under.provider.send(
        under.message({ envelope: { from: 'shop@example.com', to: ['closed@example.net'] } }),
        DEADLINE,
      );
      assert.equal(verdict.kind, 'temporary');
      assert.deepEqual(await receivedWith('closed@example.net'), []);
    });

    test('it can be started again after a stop', async () => {
      await under.provider.start();
      assert.equal((await under.provider.send(under.message(), DEADLINE)).kind, 'accepted');
    });
  });
}

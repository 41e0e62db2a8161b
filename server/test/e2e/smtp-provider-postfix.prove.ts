import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createLog } from '#platform/log.ts';
import type { EmailProvider, Verdict } from '#providers/email-provider.ts';
import { parseProviderUrl } from '#providers/parse-provider-url.ts';
import { createSmtpProvider } from '#providers/smtp/smtp-provider.ts';
import { createTestApp } from '../harness/app.ts';
import { anOutgoingMessage } from '../harness/outgoing-message.ts';
import { RAW_MIMES, rawMime } from '../harness/raw-messages.ts';
import { type Postfix, postfixMissing, startPostfix } from '../harness/postfix.ts';
import { relayClient } from '../harness/relay-client.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

const log = createLog({ level: 'silent' });
/** For two hundred that ask at once, and a machine that does something else as well. */
const DEADLINE = { deadlineMs: 60_000 };

const mail = (id: string, body: string): Buffer =>
  Buffer.from(
    `Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nFrom: Shop <shop@example.com>\r\nTo: ada@example.net\r\n` +
      `Message-ID: <${id}@example.com>\r\nSubject: Real\r\nMIME-Version: 1.0\r\n` +
      `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${body}`,
  );

suite('mail through a real Postfix', { skip: postfixMissing }, () => {
  let postfix: Postfix;
  const providers: EmailProvider[] = [];
  before(async () => {
    postfix = await startPostfix();
  });
  after(async () => {
    for (const provider of providers) await provider.stop();
    await postfix.stop();
  });

  async function through(query: string, ca?: string): Promise<EmailProvider> {
    const parsed = parseProviderUrl(`smtp://localhost:${postfix.port}${query}`);
    assert.ok(parsed.ok && parsed.config.kind === 'smtp');
    const provider = createSmtpProvider(parsed.config, ca === undefined ? { log } : { log, ca });
    providers.push(provider);
    await provider.start();
    return provider;
  }

  const send = (provider: EmailProvider, mime: Buffer, to = ['ada@example.net']): Promise<Verdict> =>
    provider.send(anOutgoingMessage({ mime, envelope: { from: 'shop@example.com', to } }), DEADLINE);

  /**
   * Waits until so many messages whose id begins like this are delivered; the files hold LF where the wire has CRLF.
   */
  async function delivered(prefix: string, count: number): Promise<string[]> {
    const startedMs = performance.now();
    for (;;) {
      const found = (await postfix.delivered()).map(String).filter((text) => text.includes(`<${prefix}`));
      if (found.length >= count) return found;
      assert.ok(performance.now() - startedMs < 60_000, `${found.length} of ${count} were delivered`);
    }
  }

  test('messages arrive intact: dots, long lines, eight bits', async () => {
    const provider = await through('');
    const body = `.\r\n..two\r\n${'x'.repeat(990)}\r\nGrüße, 你好\r\nlast.\r\n`;
    const verdict = await send(provider, mail('intact', body));
    assert.equal(verdict.kind, 'accepted', verdict.response);
    assert.ok(verdict.kind === 'accepted' && verdict.providerMessageId !== null, 'the queue id is known');
    const [file] = await delivered('intact', 1);
    assert.ok(file?.endsWith(mail('intact', body).toString().replaceAll('\r\n', '\n')), file);
  });

  test('messages that somebody else composed arrive byte for byte', async () => {
    const provider = await through('');
    const given = Object.values(RAW_MIMES).map((mime, index) =>
      Buffer.from(mime.toString('latin1').replace('<4711@', `<raw-${index}@`), 'latin1'),
    );
    for (const mime of given) assert.equal((await send(provider, mime)).kind, 'accepted');
    await delivered('raw-', given.length);
    const files = (await postfix.delivered()).map((file) => file.toString('latin1'));
    for (const [index, mime] of given.entries()) {
      const file = files.find((text) => text.includes(`<raw-${index}@`));
      assert.ok(file?.endsWith(mime.toString('latin1').replaceAll('\r\n', '\n')), Object.keys(RAW_MIMES)[index]);
    }
  });

  // Sequences that some server takes for the end of a message, with a second one behind them.
  const smuggled = 'MAIL FROM:<eve@posthorn.test>\r\nRCPT TO:<eve@example.net>\r\nDATA\r\nSubject: smuggled\r\n\r\nx';
  const ENDS = ['\n.\n', '\n.\r', '\r.\n', '\r.\r', '\n.\r\n', '\r.\r\n', '\r\n.\n', '\r\n.\r', '\r\n.\r\n'];

  test('whatever line ends a program gives to the API or the relay, Postfix gets one whole message for each', async (t) => {
    const api = await createTestApp({
      worker: true,
      relay: true,
      env: {
        POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${postfix.port}?tls=none`,
        POSTHORN_SEND_RATE: '500',
        POSTHORN_PROVIDER_CEILING: '1000',
      },
    });
    undoAfter(t, () => api.close());
    for (const [index, end] of ENDS.entries()) {
      const text = `api ${index} begins${end}${smuggled}\r\napi ${index} ends`;
      const body = { from: 'hello@posthorn.test', to: ['ada@example.net'], subject: `Awkward api ${index}`, text };
      assert.equal((await api.request({ url: '/v1/send', body })).status, 202);
    }
    const client = await relayClient(api.relayPort, api.key);
    undoAfter(t, async () => void client.socket.destroy());
    const lines = ['.', '..', '.\t', ' .', '', '', '.MAIL FROM:<eve@posthorn.test>', smuggled];
    const given = rawMime(`relay begins\r\n${lines.join('\r\n')}\r\n.\r\nrelay ends`, { fields: ['X-Awkward: relay'] });
    assert.match(await client.send(given, ['ada@example.net']), /^250/);
    for (const end of ENDS.slice(0, -1)) {
      const refused = rawMime(`refused${end}${smuggled}\r\n`, { fields: ['X-Awkward: refused'] });
      assert.match(await client.send(refused, ['ada@example.net']), /^554 5\.6\.0/, JSON.stringify(end));
    }
    const arrived = await until('the messages', async () => {
      const files = (await postfix.deliveries()).filter(({ message }) =>
        /^(?:Subject|X-)[^:]*: .*Awkward|^X-Awkward/m.test(String(message)),
      );
      return files.length >= ENDS.length + 1 ? files : undefined;
    });
    assert.equal(arrived.length, ENDS.length + 1);
    for (const index of ENDS.keys()) {
      const one = String(
        arrived.find(({ message }) => String(message).includes(`Subject: Awkward api ${index}\n`))?.message,
      );
      assert.match(one, new RegExp(`api ${index} begins[^]*api ${index} ends`));
    }
    const relayed = arrived.find(({ message }) => String(message).includes('X-Awkward: relay'));
    assert.ok(relayed?.message.toString('latin1').endsWith(`${given.toString('latin1').replaceAll('\r\n', '\n')}\n`));
    assert.ok(
      (await postfix.deliveries()).every(({ to, from }) => to !== 'eve@example.net' && !from.startsWith('eve@')),
    );
  });

  test('two hundred at once arrive once each', async () => {
    const provider = await through('?connections=20');
    const ids = Array.from({ length: 200 }, (_, index) => `many-${index}`);
    const verdicts = await Promise.all(ids.map((id) => send(provider, mail(id, 'Hello\r\n'))));
    assert.ok(verdicts.every((verdict) => verdict.kind === 'accepted'));
    const files = await delivered('many-', 200);
    assert.equal(files.length, 200);
    assert.deepEqual(new Set(files.map((file) => /<(many-\d+)@/.exec(file)?.[1])), new Set(ids));
  });

  test('STARTTLS works with a certificate that is vouched for, and is temporary without', async () => {
    const trusting = await through('?tls=starttls', postfix.ca);
    assert.equal((await send(trusting, mail('secret', 'Hello\r\n'))).kind, 'accepted');
    assert.match((await delivered('secret', 1))[0] ?? '', /with ESMTPS /);
    const strict = await through('?tls=starttls');
    assert.equal((await send(strict, mail('untrusted', 'Hello\r\n'))).kind, 'temporary');
    const opportunistic = await through('?tls=auto');
    assert.equal((await send(opportunistic, mail('auto', 'Hello\r\n'))).kind, 'accepted');
  });

  test('its refusals are told apart: an unknown recipient, a busy one, a foreign one, a message too large', async () => {
    const provider = await through('');
    const to = async (address: string): Promise<Verdict> => send(provider, mail('refusal', 'Hello\r\n'), [address]);
    assert.partialDeepStrictEqual(await to('nobody@example.net'), { kind: 'refused', code: 554 });
    assert.partialDeepStrictEqual(await to('busy@example.net'), { kind: 'temporary', throttled: false });
    assert.partialDeepStrictEqual(
      await to('ada@elsewhere.example'),
      { kind: 'temporary' },
      'relaying is the operator’s',
    );
    const large = await send(provider, mail('large', 'x'.repeat(70).concat('\r\n').repeat(40_000)));
    assert.partialDeepStrictEqual(large, { kind: 'refused' });
    const some = await send(provider, mail('some', 'Hello\r\n'), ['ada@example.net', 'nobody@example.net']);
    assert.partialDeepStrictEqual(some, { kind: 'accepted', refusedRecipients: [{ address: 'nobody@example.net' }] });
  });
});

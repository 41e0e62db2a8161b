import { once } from 'node:events';
import { createConnection } from 'node:net';
import { converse } from '../test/harness/smtp-conversation.ts';

interface LoadOptions {
  port: number;
  key: string;
  connections: number;
  seconds: number;
  /** A message of its own for each number. */
  message(n: number): string;
}

export interface SmtpLoad {
  perSecond: number;
  messages: number;
  p50: number;
  p99: number;
}

let sent = 0;

/** Hands in messages over some connections, each waiting for every reply as mail programs do. Throws at a refusal. */
export async function smtpLoad({ port, key, connections, seconds, message }: LoadOptions): Promise<SmtpLoad> {
  const endsAt = performance.now() + seconds * 1_000;
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = createConnection(port, '127.0.0.1');
      await once(socket, 'connect');
      const one = converse(socket);
      const say = async (line: string | Buffer): Promise<void> => {
        const reply = await one.say(line);
        if (!/^[23]/.test(reply)) throw new Error(`refused: ${reply}`);
      };
      await one.reply();
      await say('EHLO bench.example');
      await say(`AUTH PLAIN ${Buffer.from(`\0apikey\0${key}`).toString('base64')}`);
      while (performance.now() < endsAt) {
        const begun = performance.now();
        const n = (sent += 1);
        for (const line of ['MAIL FROM:<hello@posthorn.test>', 'RCPT TO:<ada@example.com>', 'DATA']) await say(line);
        await say(Buffer.from(`${message(n)}\r\n.\r\n`, 'latin1'));
        times.push(performance.now() - begun);
      }
      socket.destroy();
    }),
  );
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
  const passed = (performance.now() - started) / 1_000;
  return { perSecond: times.length / passed, messages: times.length, p50: at(0.5), p99: at(0.99) };
}

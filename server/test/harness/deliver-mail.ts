import { once } from 'node:events';
import { createConnection } from 'node:net';
import { converse } from './smtp-conversation.ts';
import { until } from './until.ts';

export interface Envelope {
  from?: string;
  to: string | readonly string[];
}

/** With CRLF, as it comes from the wire. */
export const wire = (text: string): Buffer => Buffer.from(text.replace(/\r?\n/g, '\r\n'));

/**
 * Hands a message to a port on loopback as another mail server does; the answer to the first thing that was refused, or
 * to the message. Waits for the port to open.
 */
export async function deliverMail(
  port: number,
  { from = 'ada@example.net', to }: Envelope,
  raw: Buffer,
): Promise<string> {
  const socket = await until('the port for mail', async () => {
    const one = createConnection(port, '127.0.0.1');
    return once(one, 'connect').then(
      () => one,
      () => undefined,
    );
  });
  const client = converse(socket);
  try {
    await client.reply();
    await client.say('EHLO mx.example.net');
    let answer = await client.say(`MAIL FROM:<${from}> SIZE=${raw.length}`);
    for (const address of typeof to === 'string' ? [to] : to) {
      if (answer.startsWith('250')) answer = await client.say(`RCPT TO:<${address}>`);
    }
    if (!answer.startsWith('250')) return answer;
    await client.say('DATA');
    return await client.say(Buffer.concat([stuffed(raw), Buffer.from('\r\n.\r\n')]));
  } finally {
    socket.destroy();
  }
}

/** With the dots of the transfer (RFC 5321 §4.5.2), byte by byte. */
const stuffed = (raw: Buffer): Buffer => Buffer.from(raw.toString('latin1').replace(/^\./gm, '..'), 'latin1');

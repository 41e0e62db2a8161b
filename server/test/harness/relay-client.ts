import { once } from 'node:events';
import { createConnection } from 'node:net';
import { converse, type SmtpConversation } from './smtp-conversation.ts';

export interface RelayClient extends SmtpConversation {
  /** Sends a message for these addresses; the last reply, or the one that refused. Lines may begin with dots. */
  send(mime: Buffer | string, to?: readonly string[], from?: string): Promise<string>;
}

const plain = (key: string): string => `AUTH PLAIN ${Buffer.from(`\0apikey\0${key}`).toString('base64')}`;

/** A connection to the relay on loopback, greeted. */
export async function connectRelay(port: number): Promise<RelayClient> {
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  const one = converse(socket);
  await one.reply();
  await one.say('EHLO client.example');
  return {
    ...one,
    async send(mime, to = ['ada@example.com'], from = 'hello@posthorn.test') {
      const commands = [`MAIL FROM:<${from}>`, ...to.map((address) => `RCPT TO:<${address}>`), 'DATA'];
      for (const command of commands) {
        const reply = await one.say(command);
        if (!/^[23]/.test(reply)) return reply;
      }
      const text = (typeof mime === 'string' ? mime : mime.toString('latin1')).replace(/^\./gm, '..');
      return one.say(Buffer.from(`${text.endsWith('\r\n') ? text : `${text}\r\n`}.\r\n`, 'latin1'));
    },
  };
}

/** The reply to a sign-in with this key. */
export const signInTo = (client: SmtpConversation, key: string): Promise<string> => client.say(plain(key));

/** Signed in. */
export async function relayClient(port: number, key: string): Promise<RelayClient> {
  const client = await connectRelay(port);
  const reply = await signInTo(client, key);
  if (!reply.startsWith('235')) throw new Error(`the relay refused the key: ${reply}`);
  return client;
}

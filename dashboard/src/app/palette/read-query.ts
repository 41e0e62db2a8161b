import { readMessageId } from '../../lib/mail/message-id.ts';

export type Named =
  | { kind: 'id'; id: string }
  | { kind: 'message'; providerId: string }
  | { kind: 'request'; id: string }
  | { kind: 'address'; address: string }
  | { kind: 'words'; words: string }
  | { kind: 'nothing' };

/** The name of an event: `evt_` and an id without dashes. */
const EVENT = /^evt_[0-9a-f]{32}$/;
const ADDRESS = /^[^\s<>@]+@[^\s<>@]+$/;

/** The thing that a text in the palette may name. One letter names nothing. */
export function readQuery(query: string): Named {
  const text = query.trim();
  if (text.length < 2) return { kind: 'nothing' };
  const message = readMessageId(text);
  if (message !== undefined) return 'id' in message ? { kind: 'id', ...message } : { kind: 'message', ...message };
  if (EVENT.test(text)) return { kind: 'id', id: text };
  if (text.startsWith('req_')) return { kind: 'request', id: text };
  return ADDRESS.test(text) ? { kind: 'address', address: text } : { kind: 'words', words: text };
}

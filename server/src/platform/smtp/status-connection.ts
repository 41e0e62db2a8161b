import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { ownEntry } from '../own-entry.ts';

/** A text that says its own enhanced status, as `wireText` makes it. */
const OWN_STATUS = /^([245]\.\d{1,3}\.\d{1,3}) (.*)$/s;
/** Of the statuses of the library, those that RFC 3463 and our contract name otherwise. */
const LIBRARY_STATUS: Readonly<Record<string, string>> = {
  'Server shutting down': '4.3.2',
  'Timeout - closing connection': '4.4.2',
  'Error: Command line too long': '4.5.2',
  'HTTP requests not allowed': '4.7.0',
  'Error: too many unauthenticated commands': '4.7.0',
  'Error: too many unrecognized commands': '4.7.0',
};

/** The text of a reply with its enhanced status, as `send` reads it. */
export const wireText = (status: string, text: string): string => `${status} ${text}`;

/** The status that a text says for itself, and the rest of it. */
export function statusIn(data: string | null | undefined): { status: string | undefined; text: string } {
  const [, status = ownEntry(LIBRARY_STATUS, data ?? ''), text = data ?? ''] = OWN_STATUS.exec(data ?? '') ?? [];
  return { status, text };
}

/** A connection of smtp-server whose replies carry the enhanced status (RFC 3463) that their author gave them. */
export class StatusConnection extends SMTPConnection {
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    if (Array.isArray(data)) return super.send(code, data, context);
    const { status, text } = statusIn(data);
    if (status === undefined) super.send(code, data, context);
    else super.send(code, wireText(status, text), false);
  }
}

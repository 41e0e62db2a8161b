import { fieldValue, type RawField } from './header-section.ts';

/**
 * Whether a program wrote a message, and nobody may answer it by a program (RFC 3834): the null sender, an automatic
 * answer, a report, or mail to many.
 */
export function isAutomatic(fields: readonly RawField[], envelopeFrom: string): boolean {
  const value = (name: string): string => (fieldValue(fields, name) ?? '').trim().toLowerCase();
  if (envelopeFrom === '' || SERVERS.test(envelopeFrom)) return true;
  const submitted = value('auto-submitted').split(/[;\s(]/, 1)[0] ?? '';
  if (submitted !== '' && submitted !== 'no') return true;
  if (/^(?:bulk|junk|list|auto[-_]reply)\b/.test(value('precedence'))) return true;
  if (/^multipart\/report\b/.test(value('content-type'))) return true;
  return FIELDS.some((name) => fieldValue(fields, name) !== undefined);
}

const SERVERS = /^(?:mailer-daemon|postmaster|listserv|majordomo)@|^owner-|-(?:request|bounces?)@/i;
const FIELDS = ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress', 'list-id', 'list-unsubscribe'];

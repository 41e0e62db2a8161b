import { headOfForward } from '#features/webhooks';
import { inboundView, type InboundEmail, type Linking } from './inbound-email.ts';

/** UTF-8 bytes of each text, and of all headers together. The API has them complete. */
const TEXT_BYTES_MAX = 256 * 1_024;
const HEADERS_BYTES_MAX = 64 * 1_024;

/** The body of the event that tells of a message: the same bytes for every attempt. */
export function forwardBody(
  mail: InboundEmail,
  { eventId, domain, linking }: { eventId: string; domain: string; linking: Linking },
): string {
  const { text, html, stripped_text, quoted_text: _whole, headers, ...rest } = inboundView(mail, linking);
  const cut = { text: cutText(text), html: cutText(html), stripped_text: cutText(stripped_text) };
  // Of what is left of the text, so that both together are the text of the event.
  const quoted_text = cut.text?.slice(cut.stripped_text?.length) ?? null;
  const kept = cutHeaders(headers);
  const truncated = cut.text !== text || cut.html !== html || kept.length < headers.length;
  return JSON.stringify({
    ...headOfForward({ workspaceId: mail.workspaceId, eventId, at: mail.receivedAt }, false),
    domain: { id: mail.domainId, domain },
    inbound: { ...rest, ...cut, quoted_text, headers: kept, truncated },
  });
}

/** A text of at most 256 KB, which ends with a whole character. */
function cutText(text: string | null): string | null {
  // A character has three bytes at most, but for those of two places, which have four.
  if (text === null || text.length * 3 <= TEXT_BYTES_MAX) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= TEXT_BYTES_MAX) return text;
  let end = TEXT_BYTES_MAX;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function cutHeaders(headers: readonly { name: string; value: string }[]): { name: string; value: string }[] {
  let bytes = 0;
  return headers.filter(({ name, value }) => {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    return bytes <= HEADERS_BYTES_MAX;
  });
}

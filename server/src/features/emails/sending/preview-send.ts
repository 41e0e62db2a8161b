import { domainCapProblem } from '#features/domains';
import { suppressedAmong } from '#features/suppressions';
import { htmlToText } from '#mail/message/html-to-text.ts';
import type { Ctx } from '#platform/http/context.ts';
import { addressCount } from './accepted-email.ts';
import { fillSend, type FilledSend } from './fill-send.ts';
import { requireNewsletter, type SendingPorts } from './newsletter-permission.ts';
import type { ReadSend } from './read-send.ts';
import { requireSenderDomain } from './sender-permission.ts';

/** Gmail shows no more than this of a message and hides the rest behind a link. */
const CLIPPED_BYTES = 102 * 1024;

interface Decision {
  to: string;
  decision: 'send' | 'suppressed' | 'capped';
  reason: string | null;
}

/**
 * The effect that a send would have, address by address. Stores, sends and counts nothing; refuses what the send
 * would refuse.
 */
export async function previewSend(ctx: Ctx, given: ReadSend, ports: SendingPorts) {
  const read = await fillSend(ctx, given);
  const domain = await requireSenderDomain(ctx, read.from.domain);
  await requireNewsletter(ctx, read.newsletterId, ports);
  const addresses = [...read.to, ...(read.grouped?.cc ?? []), ...(read.grouped?.bcc ?? [])];
  const suppressed = await suppressedAmong(
    ctx.db,
    ctx.workspaceId,
    addresses.map((mailbox) => mailbox.identity),
  );
  const capProblem = await domainCapProblem(
    ctx.db,
    ctx.workspaceId,
    domain,
    addressCount(read) - suppressed.size,
    ctx.clock.now(),
  );
  const emails = addresses.map(({ identity }): Decision => {
    if (capProblem !== undefined) return { to: identity, decision: 'capped', reason: capProblem };
    if (!suppressed.has(identity)) return { to: identity, decision: 'send', reason: null };
    return {
      to: identity,
      decision: 'suppressed',
      reason: 'The address is on the suppression list of this workspace.',
    };
  });
  return {
    ok: emails.some((email) => email.decision === 'send'),
    emails,
    rendered: {
      subject: read.subject,
      html: read.html,
      text: read.text ?? (read.htmlWithoutPreheader === null ? null : htmlToText(read.htmlWithoutPreheader)),
    },
    warnings: warningsOf(read),
  };
}

function warningsOf(read: FilledSend): string[] {
  const warnings: string[] = [];
  if (read.duplicates > 0) warnings.push(`${read.duplicates} duplicate address(es) were collapsed.`);
  if (read.isPreheaderUnused) {
    warnings.push('preheader is ignored: it is part of the html, and there is none.');
  }
  if (read.html !== null && Buffer.byteLength(read.html, 'utf8') > CLIPPED_BYTES) {
    warnings.push('The html is larger than 102 KB: Gmail will show only its beginning.');
  }
  return warnings;
}

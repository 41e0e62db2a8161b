import { domainCapError, reserveDomainCap, type SenderDomain } from '#features/domains';
import { type AcceptedSend, acceptSend, type SendReceipt } from '#features/outbox';
import { htmlToText } from '#mail/html-to-text.ts';
import type { RawBuilder } from 'kysely';
import type { Ctx } from '#platform/http/context.ts';
import type { ReadSend } from './read-send.ts';

interface Origin {
  source: 'api' | 'batch';
  batch?: { id: string; index: number };
  /** Limits besides those of the domain. */
  reservations?: readonly RawBuilder<unknown>[];
}

/** Hands a send that was read and permitted to the engine; a full domain cap becomes 403. */
export async function acceptEmail(
  ctx: Pick<Ctx, 'workspaceId' | 'db' | 'actor' | 'clock'>,
  read: ReadSend,
  domain: SenderDomain,
  origin: Origin,
): Promise<SendReceipt> {
  const now = ctx.clock.now();
  const cap = reserveDomainCap(ctx.workspaceId, domain, addressCount(read), now);
  try {
    return await acceptSend(ctx, {
      ...acceptedSend(ctx, read, domain, origin),
      reservations: [...(cap === null ? [] : [cap]), ...(origin.reservations ?? [])],
    });
  } catch (error) {
    throw domainCapError(error, domain, now) ?? error;
  }
}

/** Addresses a send goes to: what domain caps count. */
export const addressCount = (read: ReadSend): number =>
  read.to.length + (read.grouped === null ? 0 : read.grouped.cc.length + read.grouped.bcc.length);

/**
 * The text to store. null is made from the html when the message is composed, once for all its recipients; only a
 * preheader has to be kept out of it now, because later it is part of the html.
 */
function textToStore(read: ReadSend): string | null {
  const hasPreheader = read.html !== read.htmlWithoutPreheader;
  if (read.text !== null || !hasPreheader || read.htmlWithoutPreheader === null) return read.text;
  return htmlToText(read.htmlWithoutPreheader);
}

function acceptedSend(
  ctx: Pick<Ctx, 'actor'>,
  read: ReadSend,
  domain: SenderDomain,
  origin: Origin,
): Omit<AcceptedSend, 'reservations'> {
  return {
    source: origin.source,
    lane: 'transactional',
    content: {
      from: read.from,
      domain,
      replyTo: read.replyTo,
      subject: read.subject,
      html: read.html,
      text: textToStore(read),
      headers: read.headers,
      inReplyTo: read.inReplyTo,
      tags: read.tags,
      metadata: read.metadata,
      trackOpens: read.trackOpens ?? domain.tracking.opens,
      trackClicks: read.trackClicks ?? domain.tracking.clicks,
      attachments: read.attachments.map(({ contentId, ...file }) => ({ ...file, cid: contentId })),
    },
    recipients: read.grouped === null ? read.to : [],
    ...(read.grouped === null ? {} : { grouped: { to: read.to, ...read.grouped } }),
    expiresAt: read.expiresAt,
    // A test key can never reach anybody, whatever the body says.
    sandbox: read.sandbox || ctx.actor.mode === 'test',
    apiKey: ctx.actor.apiKey,
    ...(origin.batch === undefined ? {} : { batch: origin.batch }),
    ...(read.newsletterId === null ? {} : { origin: { newsletterId: read.newsletterId } }),
  };
}

import { type SenderDomain, takesOfDomain } from '#features/domains';
import type { AcceptedSend } from '#features/outbox';
import { htmlToText } from '#mail/message/html-to-text.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Take } from '#platform/usage/take.ts';
import type { FilledSend } from './fill-send.ts';

interface Origin {
  source: 'api' | 'batch' | 'scheduled' | 'relay' | 'automation';
  /** The scheduled email that it was until now. */
  scheduledId?: string;
  /** The run that sends it. */
  automationRunId?: string;
  batch?: { id: string; index: number };
  /** The limits that it takes from besides those of the domain; they are asked first. */
  takes?: readonly Take[];
}

/** Addresses a send goes to: what domain caps count. */
export const addressCount = (read: FilledSend): number =>
  read.to.length + (read.grouped === null ? 0 : read.grouped.cc.length + read.grouped.bcc.length);

/**
 * The text to store. null is made from the html when the message is composed, once for all its recipients; only a
 * preheader has to be kept out of it now, because later it is part of the html.
 */
function textToStore(read: FilledSend): string | null {
  const hasPreheader = read.html !== read.htmlWithoutPreheader;
  if (read.text !== null || !hasPreheader || read.htmlWithoutPreheader === null) return read.text;
  return htmlToText(read.htmlWithoutPreheader);
}

/** A send that was read and permitted, as the engine takes it. */
export function acceptedEmail(
  ctx: Pick<Ctx, 'actor' | 'clock' | 'workspaceId' | 'requestId'>,
  read: FilledSend,
  domain: SenderDomain,
  origin: Origin,
): AcceptedSend {
  return {
    source: origin.source,
    lane: 'transactional',
    content: {
      kind: 'composed',
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
    requestId: ctx.requestId,
    ...(origin.batch === undefined ? {} : { batch: origin.batch }),
    origin: {
      newsletterId: read.newsletterId,
      templateId: read.template?.id ?? null,
      scheduledId: origin.scheduledId ?? null,
      automationRunId: origin.automationRunId ?? null,
    },
    ...(read.template === null ? {} : { templateVersion: read.template.version }),
    ...(read.variants.length === 0
      ? {}
      : { variants: read.variants.map(({ subject, html, text, of }) => ({ subject, html, text, of })) }),
    takes: [...(origin.takes ?? []), ...takesOfDomain(ctx.workspaceId, domain, addressCount(read), ctx.clock.now())],
  };
}

import { findSenderDomain, type SenderDomain, takesOfDomain } from '#features/domains';
import { acceptedEmail, fillSend, requireNewsletter, requireSenderDomain } from '#features/emails';
import { type AcceptedSend, rawContent } from '#features/outbox';
import { type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import type { Attachment } from '#mail/attachments/attachment-rules.ts';
import { messageIdOf } from '#mail/headers/message-id.ts';
import { RawMessageError } from '#mail/raw/raw-message-error.ts';
import { type RawMessage, readRawMessage } from '#mail/raw/read-raw-message.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { ScheduledEmail } from '../scheduled-email.ts';
import { sendOfStored } from '../stored-send.ts';
import type { ScheduledWiring } from '../wiring.ts';

/** The workspace is paused: the email waits, like everything of that workspace. */
export class IsPaused extends Error {}

/** The send that a scheduled email is now, judged by the rules of today. */
export async function dueSend(
  ctx: Ctx,
  wiring: ScheduledWiring,
  row: ScheduledEmail,
  files: readonly Attachment[],
): Promise<AcceptedSend> {
  if (row.body.isMessage === true) return messageSend(ctx, row, files);
  const read = await fillSend(ctx, sendOfStored(row, files, ctx.clock.now()));
  const domain = await domainOf(ctx, read.from);
  await requireNewsletter(ctx, read.newsletterId, wiring);
  const batch =
    row.batchId === null || row.batchIndex === null ? {} : { batch: { id: row.batchId, index: row.batchIndex } };
  return acceptedEmail(ctx, read, domain, { source: 'scheduled', scheduledId: row.id, ...batch });
}

/** A finished message leaves as it was given, for the addresses of its envelope. */
async function messageSend(ctx: Ctx, row: ScheduledEmail, [file]: readonly Attachment[]): Promise<AcceptedSend> {
  if (file === undefined) throw new Error('the bytes of a scheduled message are gone');
  const now = ctx.clock.now();
  const raw = await readAgain(file.body, row, now);
  const { to, tags, metadata, trackOpens, trackClicks } = row.body;
  const recipients = [to ?? []].flat().map((address) => parseMailbox(address));
  const domain = await domainOf(ctx, raw.from);
  return {
    source: 'scheduled',
    lane: 'transactional',
    content: rawContent(raw, {
      domain,
      tags: tags ?? [],
      metadata: metadata ?? {},
      trackOpens: trackOpens ?? domain.tracking.opens,
      trackClicks: trackClicks ?? domain.tracking.clicks,
    }),
    recipients,
    expiresAt: null,
    sandbox: row.isTest,
    apiKey: null,
    origin: { scheduledId: row.id },
    takes: takesOfDomain(row.workspaceId, domain, recipients.length, now),
  };
}

/** It had a date and an id when it was kept, so that nothing is added now. */
async function readAgain(bytes: Buffer, { id }: ScheduledEmail, date: Date): Promise<RawMessage> {
  try {
    return await readRawMessage(bytes, { date, newMessageId: (domain) => messageIdOf(id, domain) });
  } catch (error) {
    throw error instanceof RawMessageError ? unacceptable('message', error.message) : error;
  }
}

async function domainOf(ctx: Ctx, from: Mailbox): Promise<SenderDomain> {
  // At most a second old: it may say so for a moment after the workspace goes on.
  if (((await findSenderDomain(ctx, from.domain))?.sendingStop ?? null) !== null) throw new IsPaused();
  return requireSenderDomain(ctx, from.domain);
}

import { requireSenderDomain } from '#features/emails';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import { quotedMailbox } from '#mail/addresses/stored-mailbox.ts';
import { MimeError } from '#mail/inbound/mime-error.ts';
import { readInboundMessage } from '#mail/inbound/read-message.ts';
import type { RawMessage } from '#mail/raw/read-raw-message.ts';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { insertFiles, insertScheduledEmail } from '../queries/one.ts';
import type { Done } from '../reading/read-scheduled.ts';
import { type AskedTime, readScheduleTime } from '../schedule-time.ts';
import { searchedText } from '../stored-send.ts';

/** A message that somebody else composed, for the addresses of its envelope. */
export interface MessageForLater {
  raw: RawMessage;
  to: readonly Mailbox[];
  tags: { name: string; value: string }[];
  metadata: Record<string, unknown>;
  /** null: as the workspace has set when it leaves. */
  trackOpens: boolean | null;
  trackClicks: boolean | null;
}

/**
 * Keeps a finished message until its time comes. Its bytes are the one file of it, and leave as they are. Its texts are
 * kept for those who read the record, as a mail client would show them.
 */
export async function scheduleMessage(ctx: Ctx, message: MessageForLater, asked: AskedTime): Promise<Done> {
  const { raw, to, tags, metadata, trackOpens, trackClicks } = message;
  const time = await readScheduleTime(ctx.db, ctx.workspaceId, asked);
  const domain = await requireSenderDomain(ctx, raw.from.domain);
  const texts = await textsOf(ctx, raw.mime);
  return inTransaction(ctx.db, async (tx) => {
    const row = await insertScheduledEmail(tx, {
      ...time,
      ...texts,
      body: {
        from: quotedMailbox(raw.from),
        to: to.map(({ address }) => address),
        replyTo: raw.replyTo.map(quotedMailbox),
        subject: raw.subject,
        tags,
        metadata,
        ...(trackOpens === null ? {} : { trackOpens }),
        ...(trackClicks === null ? {} : { trackClicks }),
        isMessage: true,
      },
      workspaceId: ctx.workspaceId,
      id: newId(),
      maxDelaySeconds: null,
      fromDomain: domain.domain,
      newsletterId: null,
      search: searchedText({ subject: raw.subject, from: raw.from, to: [...to], grouped: null }),
      isTest: ctx.actor.mode === 'test',
      createdBy: { type: ctx.actor.type, id: ctx.actor.id },
      apiKeyId: ctx.actor.apiKey?.id ?? null,
      requestId: null,
      batch: null,
    });
    const file = {
      filename: 'message.eml',
      contentType: 'message/rfc822',
      contentId: null,
      disposition: 'attachment',
    } as const;
    await insertFiles(tx, row.workspaceId, row.id, [{ ...file, body: raw.mime }]);
    return { row, action: 'created', details: { scheduled_for: row.scheduledFor.toISOString() } };
  });
}

async function textsOf({ clock }: Ctx, mime: Buffer): Promise<{ html: string | null; text: string | null }> {
  try {
    const { html, text } = await readInboundMessage(mime, { envelopeFrom: '', nowMs: () => clock.monotonicMs() });
    return { html, text };
  } catch (error) {
    // It leaves all the same: its receivers read it, not we.
    if (error instanceof MimeError) return { html: null, text: null };
    throw error;
  }
}

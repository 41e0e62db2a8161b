import { fillSend, type FilledSend, readSend, type SendInput } from '#features/emails';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import { quotedMailbox } from '#mail/addresses/stored-mailbox.ts';
import { MimeError } from '#mail/inbound/mime-error.ts';
import { bytesOfFile, readInboundMessage } from '#mail/inbound/read-message.ts';
import { Faults } from '#platform/errors/faults.ts';
import type { Ctx } from '#platform/http/context.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import type { ReadMessage } from './read-message.ts';

/** A send with the request that it was read from. */
export interface TemplateSend {
  input: Partial<SendInput>;
  read: FilledSend;
}

/**
 * The send that a message with X-Service-Template stands for, by the rules of `POST /v1/send`. Sender, Reply-To,
 * subject, In-Reply-To, the fields that begin with X- and the files are those of the message, and the texts are the
 * template's: nobody gets the text of the message.
 */
export async function readTemplateSend(ctx: Ctx, message: ReadMessage, to: readonly Mailbox[]): Promise<TemplateSend> {
  const input = await inputOf(ctx, message, to);
  return { input, read: await fillSend(ctx, readSend(input, new Faults(), ctx.clock.now())) };
}

async function inputOf(
  { clock }: Ctx,
  { raw, control }: ReadMessage,
  to: readonly Mailbox[],
): Promise<Partial<SendInput>> {
  const { headers, inReplyTo, files } = await readInboundMessage(raw.mime, {
    envelopeFrom: '',
    nowMs: () => clock.monotonicMs(),
  }).catch((error: unknown) => {
    throw error instanceof MimeError
      ? new SmtpReply(554, `The message cannot be read. ${error.message}`, '5.6.0')
      : error;
  });
  return {
    from: quotedMailbox(raw.from),
    to: to.map(({ address }) => address),
    replyTo: raw.replyTo.map(quotedMailbox),
    subject: raw.subject,
    templateId: control.template,
    variables: control.variables,
    headers: Object.fromEntries(
      headers.filter(({ name, value }) => /^x-/i.test(name) && value !== '').map(({ name, value }) => [name, value]),
    ),
    ...(inReplyTo === null ? {} : { inReplyTo }),
    tags: control.tags,
    metadata: control.metadata,
    ...(control.trackOpens === null ? {} : { trackOpens: control.trackOpens }),
    ...(control.trackClicks === null ? {} : { trackClicks: control.trackClicks }),
    attachments: files
      .filter(({ size }) => size > 0)
      .map((file) => ({
        filename: file.filename,
        content: bytesOfFile(raw.mime, file).toString('base64'),
        contentType: file.contentType,
        contentId: file.contentId,
        disposition: file.disposition === 'inline' ? 'inline' : 'attachment',
      })),
  };
}

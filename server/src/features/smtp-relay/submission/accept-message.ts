import { createHash } from 'node:crypto';
import { takesOfDomain } from '#features/domains';
import { requireSenderDomain } from '#features/emails';
import { type AcceptedSend, acceptSend, acceptSendOnce, rawContent } from '#features/outbox';
import { type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import { messageIdOf } from '#mail/headers/message-id.ts';
import { RawMessageError } from '#mail/raw/raw-message-error.ts';
import { type RawMessage, readRawMessage } from '#mail/raw/read-raw-message.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import type { SubmittedMessage } from '#platform/smtp/submission-rules.ts';
import { type ControlFields, ControlFieldReader } from './control-fields.ts';
import { refusalOfAccept, refusalOfSender } from './refusals.ts';

/** A message as it was read, and its own Message-ID. */
interface ReadMessage {
  raw: RawMessage;
  control: ControlFields;
  hasOwnId: boolean;
}

/**
 * Takes responsibility for a message, for the addresses of its envelope, whoever stands in To. Returns the id of its
 * job after the commit. A message that comes again within a day, the same bytes for the same addresses or with the same
 * X-Idempotency-Key, is the one that was taken before: a client that did not hear the answer sends it once more
 * (RFC 1047).
 */
export async function acceptMessage(ctx: Ctx, message: SubmittedMessage): Promise<string> {
  const read = await readMessage(ctx, message.bytes);
  const domain = await requireSenderDomain(ctx, read.raw.from.domain).catch((error: unknown) => {
    throw refusalOfSender(error);
  });
  const recipients = recipientsOf(message.to);
  const send: AcceptedSend = {
    source: 'relay',
    lane: 'transactional',
    content: rawContent(read.raw, { domain, tags: read.control.tags, metadata: read.control.metadata }),
    recipients,
    expiresAt: null,
    sandbox: ctx.actor.mode === 'test',
    apiKey: ctx.actor.apiKey,
    takes: takesOfDomain(ctx.workspaceId, domain, recipients.length, ctx.clock.now()),
  };
  try {
    const key = keyOf(ctx, message, read);
    return key === null ? (await acceptSend(ctx, send)).jobId : await acceptSendOnce(ctx, send, key);
  } catch (error) {
    throw refusalOfAccept(error);
  }
}

async function readMessage({ clock }: Ctx, bytes: Buffer): Promise<ReadMessage> {
  const fields = new ControlFieldReader();
  const newMessageId = (domain: string): string => {
    hasOwnId = false;
    return messageIdOf(newId(), domain);
  };
  let hasOwnId = true;
  try {
    const isRemoved = (name: string, value: string): boolean => fields.take(name, value);
    const raw = await readRawMessage(bytes, { date: clock.now(), newMessageId, isRemoved });
    return { raw, control: await fields.read(), hasOwnId };
  } catch (error) {
    if (error instanceof RawMessageError) throw new SmtpReply(554, error.message, '5.6.0');
    throw error;
  }
}

/** The same address in another case is the same recipient. */
function recipientsOf(addresses: readonly string[]): Mailbox[] {
  const byIdentity = new Map(addresses.map((address) => parseMailbox(address)).map((one) => [one.identity, one]));
  return [...byIdentity.values()];
}

const digest = (parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest();
};

type RepeatKey = Parameters<typeof acceptSendOnce>[2];

/** The key by which a message is known again; null: it has neither a key nor an id of its own. */
function keyOf({ actor }: Ctx, { from, to, bytes }: SubmittedMessage, read: ReadMessage): RepeatKey | null {
  const addresses = to.map((address) => address.toLowerCase()).toSorted();
  const { idempotencyKey } = read.control;
  if (idempotencyKey !== null) {
    // A program that makes the message anew gives it another Date, Message-ID and boundary.
    const parts = [read.raw.from.address, read.raw.subject, ...addresses];
    return { route: 'SMTP key', key: idempotencyKey, body: digest(parts) };
  }
  if (!read.hasOwnId) return null;
  const fingerprint = digest([actor.apiKey?.id ?? '', from, ...addresses, bytes]);
  return { route: 'SMTP message', key: fingerprint.toString('base64url'), body: fingerprint };
}

import { findDomainName } from '#features/domains';
import { publishForward, publishWebhook } from '#features/webhooks';
import { authenticateMessage, type MailAuth, UNKNOWN_AUTH } from '#mail/inbound/authenticate-message.ts';
import { type InboundMessage, readInboundHeader, readInboundMessage } from '#mail/inbound/read-message.ts';
import { MimeError } from '#mail/inbound/mime-error.ts';
import { endsWithin, type Clock } from '#platform/clock.ts';
import { mailHostOf } from '#platform/config/mail-host.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { ResolveRecords } from '#platform/dns/resolve-records.ts';
import { reach } from '#platform/fault-points.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import { inboundReceived } from '../announcements.ts';
import { forwardBody } from '../records/forward-body.ts';
import type { InboundEmail, InboundParts } from '../records/inbound-email.ts';
import { authOf } from '../records/verdicts.ts';
import { loadMessage } from '../records/queries.ts';
import { mailboxHashOf } from './mailbox-hash.ts';
import { matchEmail } from './match-email.ts';
import { findThreadOf, lockWaiting, markRead, type WaitingInbound } from './queries.ts';

export interface ReadingPorts {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  settings: Settings;
  resolve: ResolveRecords;
}

/** A message that has ended the process so often is not read again. */
const TRIES_MAX = 3;
const AUTH_MS_MAX = 15_000;

/**
 * Reads a stored message, finds what it answers, and tells whoever is to hear of it; all that is stored of it is one
 * transaction. A message that cannot be read is told with `parse_error`: none is left out.
 */
export async function readInbound(ports: ReadingPorts, waiting: WaitingInbound): Promise<void> {
  const { db, clock } = ports;
  const raw = await loadMessage(db, waiting.workspaceId, waiting.id);
  // The workspace is being deleted.
  if (raw === undefined) return;
  const { message, parseError } = await readSafely(ports, waiting, raw);
  const auth = waiting.tries > TRIES_MAX ? UNKNOWN_AUTH : await authenticate(ports, waiting, raw);
  const read = fieldsOf(waiting, message, parseError);
  await inTransaction(db, async (tx) => {
    if (!(await lockWaiting(tx, waiting.workspaceId, waiting.id))) return;
    await store(ports, tx, { ...read, auth, readAt: clock.now() });
    await reach('inbound.read.before-commit');
  });
  await reach('inbound.read.after-commit');
}

async function readSafely(
  { clock, log }: ReadingPorts,
  { id, tries, envelopeFrom }: WaitingInbound,
  raw: Buffer,
): Promise<{ message: InboundMessage | null; parseError: string | null }> {
  if (tries > TRIES_MAX) return { message: null, parseError: 'Reading it was given up after three attempts.' };
  const options = { envelopeFrom, nowMs: () => clock.monotonicMs() };
  try {
    return { message: await readInboundMessage(raw, options), parseError: null };
  } catch (error) {
    if (!(error instanceof MimeError)) log.error({ err: error, inbound: id }, 'a received message could not be read');
    const parseError = error instanceof MimeError ? error.message : 'It could not be read.';
    return { message: await readInboundHeader(raw, options).catch(() => null), parseError };
  }
}

async function authenticate(ports: ReadingPorts, waiting: WaitingInbound, raw: Buffer): Promise<MailAuth> {
  const { clientIp, clientName, envelopeFrom, verdicts } = waiting;
  // Only the server that spoke with the sender knows its address, without which there is no SPF.
  if (verdicts !== null) return authOf(verdicts);
  const host = mailHostOf(ports.settings);
  const over = new AbortController();
  const { signal } = over;
  const checked = authenticateMessage(raw, {
    clientIp,
    clientName,
    envelopeFrom,
    host,
    resolve: ports.resolve,
    signal,
  });
  if (await endsWithin(ports.clock, AUTH_MS_MAX, checked)) return checked;
  over.abort();
  return UNKNOWN_AUTH;
}

function fieldsOf(waiting: WaitingInbound, message: InboundMessage | null, parseError: string | null): InboundEmail {
  const parts: InboundParts = {
    to: message?.to ?? [],
    cc: message?.cc ?? [],
    reply_to: message?.replyTo ?? [],
    headers: message?.headers ?? [],
    files: message?.files ?? [],
  };
  return {
    ...waiting,
    readAt: null,
    parseError,
    fromEmail: message?.from?.email.toLowerCase() ?? null,
    fromName: message?.from?.name ?? null,
    subject: message?.subject ?? null,
    messageId: message?.messageId ?? null,
    inReplyTo: message?.inReplyTo ?? null,
    references: message?.references ?? [],
    writtenAt: message?.date ?? null,
    autoSubmitted: message?.isAutomatic ?? waiting.envelopeFrom === '',
    mailboxHash: mailboxHashOf(waiting.envelopeTo),
    threadId: null,
    inReplyToEmailId: null,
    matchedBy: null,
    text: message?.text ?? null,
    html: message?.html ?? null,
    strippedChars: message?.strippedChars ?? null,
    strippedConfidence: message?.strippedConfidence ?? null,
    parts,
    auth: null,
    eventId: null,
  };
}

async function store(ports: ReadingPorts, tx: Db, read: InboundEmail): Promise<void> {
  const { workspaceId, domainId } = read;
  const answered = await matchEmail(tx, workspaceId, read);
  const messageIds = [...new Set([...(read.inReplyTo === null ? [] : [read.inReplyTo]), ...read.references])];
  const emailId = answered?.emailId ?? null;
  const mail: InboundEmail = {
    ...read,
    inReplyToEmailId: emailId,
    matchedBy: answered?.matchedBy ?? null,
    threadId: (await findThreadOf(tx, workspaceId, { messageIds, emailId })) ?? emailId ?? read.id,
  };
  const eventId = newId();
  const domain = await findDomainName(tx, workspaceId, domainId);
  const isForwarded =
    domain !== undefined &&
    (await publishForward(
      tx,
      { workspaceId, domainId, eventId },
      forwardBody(mail, { eventId, domain, linking: ports }),
    ));
  await markRead(tx, mail, { ...mail, threadId: mail.threadId ?? mail.id, eventId: isForwarded ? eventId : null });
  if (domain !== undefined) await announce(tx, mail, domain);
  await inboundReceived.announce(tx, {
    workspaceId,
    id: mail.id,
    from: mail.fromEmail,
    to: (mail.parts.to ?? []).map(({ email }) => email),
    subject: mail.subject,
    isAutomatic: mail.autoSubmitted,
    answersEmailId: emailId,
  });
}

/** For endpoints that subscribe to it: without the texts, which `GET /v1/inbound/:id` has. */
async function announce(tx: Db, mail: InboundEmail, domain: string): Promise<void> {
  const { workspaceId, domainId, parts } = mail;
  await publishWebhook(tx, {
    workspaceId,
    domainId,
    type: 'inbound.received',
    data: {
      domain: { id: domainId, domain },
      inbound: {
        id: mail.id,
        from: mail.fromEmail === null ? null : { email: mail.fromEmail, name: mail.fromName },
        to: parts.to ?? [],
        subject: mail.subject,
        message_id: mail.messageId,
        size: mail.size,
        attachments: parts.files?.length ?? 0,
        auto_submitted: mail.autoSubmitted,
        in_reply_to_email_id: mail.inReplyToEmailId,
        thread_id: mail.threadId,
        parse_error: mail.parseError,
        received_at: mail.receivedAt.toISOString(),
      },
    },
  });
}

import { createHash } from 'node:crypto';
import { type SenderDomain, takesOfDomain } from '#features/domains';
import { acceptedEmail, requireSenderDomain, type SchedulePorts } from '#features/emails';
import { type AcceptedSend, acceptSend, acceptSendOnce, rawContent } from '#features/outbox';
import type { MessagePorts } from '#features/scheduled-emails';
import { type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { answerOnce } from '#platform/http/idempotency/idempotency.ts';
import type { SubmittedMessage } from '#platform/smtp/submission-rules.ts';
import { SCHEDULE, refuseTracking } from './control-fields.ts';
import { type ReadMessage, readMessage } from './read-message.ts';
import { refusalOfAccept, refusalOfSender } from './refusals.ts';
import { readTemplateSend } from './template-send.ts';

/** Keep messages until their time comes: a feature below, with what main gave it. */
export type LaterPorts = Pick<SchedulePorts, 'schedule'> & MessagePorts;

/**
 * Takes responsibility for a message, for the addresses of its envelope, whoever stands in To. Returns the id of its
 * job after the commit. A message that comes again within a day, the same bytes for the same addresses or with the same
 * X-Idempotency-Key, is the one that was taken before: a client that did not hear the answer sends it once more
 * (RFC 1047).
 */
export async function acceptMessage(ctx: Ctx, message: SubmittedMessage, later: LaterPorts): Promise<string> {
  const read = await readMessage(ctx, message.bytes);
  if (read.control.template === null) refuseTracking(read.control, read.raw.mime);
  const domain = await permittedDomain(ctx, read.raw.from.domain);
  // Of a template's message they are not taken.
  if (read.control.template === null) await requireOwnSenders(ctx, read);
  const to = recipientsOf(message.to);
  const key = keyOf(ctx, message, read);
  try {
    if (read.control.schedule !== null) return await keepForLater(ctx, { ...read, to, key }, later);
    const send =
      read.control.template === null ? rawSend(ctx, read, domain, to) : await templateSend(ctx, read, domain, to);
    return key === null ? (await acceptSend(ctx, send)).jobId : await acceptSendOnce(ctx, send, key);
  } catch (error) {
    throw refusalOfAccept(error);
  }
}

const permittedDomain = (ctx: Ctx, domain: string): Promise<SenderDomain> =>
  requireSenderDomain(ctx, domain).catch((error: unknown) => {
    throw refusalOfSender(error);
  });

/** The mailboxes that are shown as having sent the message need domains that the key may use, as From does. */
async function requireOwnSenders(ctx: Ctx, { raw, senders }: ReadMessage): Promise<void> {
  const others = new Set(senders.map(({ domain }) => domain).filter((domain) => domain !== raw.from.domain));
  await Promise.all([...others].map((domain) => permittedDomain(ctx, domain)));
}

/** The same address in another case is the same recipient. */
function recipientsOf(addresses: readonly string[]): Mailbox[] {
  const byIdentity = new Map(addresses.map((address) => parseMailbox(address)).map((one) => [one.identity, one]));
  return [...byIdentity.values()];
}

const rawSend = (
  ctx: Ctx,
  { raw, control }: ReadMessage,
  domain: SenderDomain,
  to: readonly Mailbox[],
): AcceptedSend => ({
  source: 'relay',
  lane: 'transactional',
  content: rawContent(raw, {
    domain,
    tags: control.tags,
    metadata: control.metadata,
    trackOpens: control.trackOpens ?? domain.tracking.opens,
    trackClicks: control.trackClicks ?? domain.tracking.clicks,
  }),
  recipients: to,
  expiresAt: null,
  sandbox: ctx.actor.mode === 'test',
  apiKey: ctx.actor.apiKey,
  takes: takesOfDomain(ctx.workspaceId, domain, to.length, ctx.clock.now()),
});

async function templateSend(
  ctx: Ctx,
  message: ReadMessage,
  domain: SenderDomain,
  to: readonly Mailbox[],
): Promise<AcceptedSend> {
  const { read } = await readTemplateSend(ctx, message, to);
  // A connection is no request of the API, whose id could be looked up.
  const { requestId: _ofConnection, ...send } = acceptedEmail(ctx, read, domain, { source: 'relay' });
  return send;
}

/** The request for a later send, kept until its time. Its id is that of the job until it begins. */
async function keepForLater(
  ctx: Ctx,
  message: ReadMessage & { to: readonly Mailbox[]; key: RepeatKey | null },
  later: LaterPorts,
): Promise<string> {
  const { raw, control, to, key } = message;
  const scheduledFor = control.schedule ?? '';
  const { tags, metadata, trackOpens, trackClicks } = control;
  const template = control.template === null ? null : await readTemplateSend(ctx, message, to);
  const keep = async (db: Db): Promise<string> => {
    const inside = { ...ctx, db };
    if (template === null) {
      return (
        await later.scheduleMessage(
          inside,
          { raw, to, tags, metadata, trackOpens, trackClicks },
          { param: SCHEDULE, text: scheduledFor, timezone: null },
        )
      ).id;
    }
    const schedule = { scheduledFor, timezone: null, input: template.input };
    return (await later.schedule(inside, { ...template.read, schedule }, { param: SCHEDULE, isLimited: false })).id;
  };
  if (key === null) return keep(ctx.db);
  const { db, secrets, workspaceId } = ctx;
  const work = async (tx: Db) => ({ status: 202, headers: {}, body: await keep(tx) });
  return (await answerOnce({ db, secrets, workspaceId, ...key, work })).body.toString();
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

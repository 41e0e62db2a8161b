import { takesOfDomain } from '#features/domains';
import { requireSenderDomain } from '#features/emails';
import { type AcceptedSend, acceptSend, plainContent } from '#features/outbox';
import { AddressError, type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getInbound } from '../records/get-inbound.ts';
import type { InboundEmail } from '../records/inbound-email.ts';
import { HOPS_HEADER, HOPS_MAX, hopsValue, readHops } from './hops.ts';
import { insertReply } from './queries.ts';
import { readFrom } from './read-reply.ts';

export interface ReplyInput {
  html?: string | null;
  text?: string | null;
  from?: string | null;
  subject?: string | null;
}

export interface Replied {
  success: true;
  jobId: string;
  emailId: string;
  status: 'queued' | 'suppressed';
  threadId: string;
}

/** A header of our own limit has room for so many ids; the first and the last are those that programs need. */
const REFERENCES_CHARS_MAX = 800;
const SUBJECT_CHARS_MAX = 998;

/**
 * Answers a received message, in its conversation: from the address that it was sent to, unless another is given. Mail
 * of programs is not answered, nor is a conversation of answers without end.
 */
export async function replyToInbound(ctx: Ctx, id: string, input: ReplyInput): Promise<Replied> {
  const mail = await getInbound(ctx, id);
  const hops = refuseLoop(ctx, mail);
  const { html = null, text = null } = input;
  if ((html ?? '') === '' && (text ?? '') === '') throw invalid('text', 'A reply needs html or text.');
  const from = readFrom(input.from ?? mail.envelopeTo[0] ?? '');
  const domain = await requireSenderDomain(ctx, from.domain);
  const content = plainContent({
    from,
    domain,
    subject: subjectOf(mail, input),
    html,
    text,
    inReplyTo: idOf(mail),
    headers: { ...referencesOf(mail), [HOPS_HEADER]: hopsValue(ctx.secrets, hops + 1) },
  });
  const send: AcceptedSend = {
    source: 'inbound_reply',
    lane: 'transactional',
    content,
    recipients: [addresseeOf(mail)],
    expiresAt: null,
    sandbox: ctx.actor.mode === 'test',
    apiKey: ctx.actor.apiKey,
    requestId: ctx.requestId,
    takes: takesOfDomain(ctx.workspaceId, domain, 1, ctx.clock.now()),
  };
  const threadId = mail.threadId ?? mail.id;
  return inTransaction(ctx.db, async (tx) => {
    const { jobId, emails } = await acceptSend({ db: tx, workspaceId: ctx.workspaceId }, send);
    const [email] = emails;
    if (email === undefined) throw new Error('a send to one person has no email');
    await insertReply(tx, { workspaceId: ctx.workspaceId, emailId: email.id, inboundId: mail.id, threadId });
    return { success: true, jobId, emailId: email.id, status: email.status, threadId };
  });
}

/** The answers that came before this message. Throws 409 for one that must not be answered (RFC 3834). */
function refuseLoop({ secrets }: Ctx, { autoSubmitted, readAt, parts }: InboundEmail): number {
  if (readAt === null) throw conflict('This message is not read yet. Try again in a second.');
  if (autoSubmitted) {
    throw conflict('A program wrote this message (`auto_submitted`), and its answer could be answered without end.');
  }
  const hops = readHops(secrets, parts.headers ?? []);
  if (hops >= HOPS_MAX) {
    throw conflict(`This message ends a row of ${hops} answers by API. Send a new email with POST /v1/send instead.`);
  }
  return hops;
}

/** Reply-To, or else From (RFC 5322 §3.6.2). */
function addresseeOf({ parts, fromEmail, fromName }: InboundEmail): Mailbox {
  const [wanted] = parts.reply_to ?? [];
  const email = wanted?.email ?? fromEmail;
  if (email === null) throw unacceptable('id', 'The message does not say whom to answer.');
  try {
    return { ...parseMailbox(email), name: wanted === undefined ? fromName : wanted.name };
  } catch (error) {
    if (error instanceof AddressError) throw unacceptable('id', `The message cannot be answered. ${error.reason}`);
    throw error;
  }
}

function subjectOf({ subject }: InboundEmail, input: ReplyInput): string {
  const given = input.subject ?? subject ?? '';
  const answered = input.subject !== undefined && input.subject !== null;
  const whole = answered || /^\s*re\s*:/i.test(given) ? given : `Re: ${given}`;
  return whole.slice(0, SUBJECT_CHARS_MAX).toWellFormed();
}

/** A stranger wrote it: other characters may not stand in a header of ours (RFC 5322, 3.6.4). */
const isUsable = (id: string): boolean => /^<[!-~]+>$/.test(id);

const idOf = ({ messageId }: InboundEmail): string | null =>
  messageId !== null && isUsable(messageId) ? messageId : null;

function referencesOf(mail: InboundEmail): Record<string, string> {
  const messageId = idOf(mail);
  if (messageId === null) return {};
  const [first, ...rest] = [...mail.references.filter((one) => one !== messageId && isUsable(one)), messageId];
  const kept = [first ?? messageId];
  let chars = kept.join(' ').length;
  const last: string[] = [];
  for (const one of rest.toReversed()) {
    chars += one.length + 1;
    if (chars > REFERENCES_CHARS_MAX) break;
    last.unshift(one);
  }
  return { References: [...kept, ...last].join(' ') };
}

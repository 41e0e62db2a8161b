import { type ConsentSummary, type Evidence, recordConsents, storableEvidence } from '#features/consents';
import { keepOutSuppression, suppressedAmong } from '#features/suppressions';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import { inTransaction } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { newId } from '#platform/ids.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { NewsletterSender } from '../../settings/sender-of-newsletter.ts';
import { hasLeft } from '../leaving/leave-when-gone.ts';
import { awaitLeaving } from '../leaving/leaving-lock-queries.ts';
import { requireConfirmationSender, sendConfirmation } from '../confirmation/confirmation-mail.ts';
import { mayMailFirst } from '../confirmation/confirmation-limits.ts';
import {
  findSubscriberByEmail,
  insertSubscriber,
  lockSubscriber,
  moveSubscriber,
  updateSubscriber,
} from '../queries.ts';
import { personOf, type Subscriber } from '../subscriber.ts';
import { tellJoined } from '../subscriber-events.ts';
import { mergeMetadata } from './subscriber-input.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

export interface SignUp {
  email: Mailbox;
  name: string | null;
  source: string | null;
  metadata?: Record<string, unknown>;
  evidence: Evidence;
  via: 'public' | 'api';
  /** Lets somebody who left start again; a public sign-up always does. */
  resubscribe?: boolean;
  /** Active at once: the caller vouches for the consent that it describes. */
  skipConfirmation?: boolean;
  consent?: Record<string, unknown>;
  /** When the person agreed, where a caller says so; now when left out. */
  signedUpAt?: Date;
}

export interface SignedUp {
  subscriber: Subscriber;
  /** existing: nothing was changed. restarted: had left or waited, and began anew. */
  outcome: 'created' | 'existing' | 'restarted';
}

/**
 * Puts an address on a list, once: pending with a confirmation email, or active where none is asked for. However often
 * and at once it is asked for, there is one row and one email. Throws 422 for a suppressed address (param `email`) and
 * when the newsletter has no sender to ask for confirmation (param `from_email`), 403 while the workspace is paused: to
 * the public also for an address that is on the list. Nothing is stored then. An address that has been sent too many
 * confirmation emails is stored without one.
 */
export async function signUp(ctx: SubscribersCtx, newsletter: Newsletter, asked: SignUp): Promise<SignedUp> {
  const { identity } = asked.email;
  const address = { workspaceId: ctx.workspaceId, email: identity };
  return inTransaction(ctx.db, async (tx) => {
    const within = { ...ctx, db: tx };
    // Strangers must not tell known addresses from others: what refuses a newcomer refuses everybody, before a look.
    const ready = asked.via === 'public' ? await startOf(within, newsletter, asked) : undefined;
    await keepOutSuppression(tx, [address]);
    const suppressed = await suppressedAmong(tx, ctx.workspaceId, [identity]);
    if (suppressed.has(identity)) throw unacceptable('email', 'This address cannot be subscribed.');
    const held = await findSubscriberByEmail(tx, ctx.workspaceId, newsletter.id, identity);
    if (held !== undefined && !mayRestart(newsletter, held, asked)) return { subscriber: held, outcome: 'existing' };
    if (held === undefined && (await staysOut(within, newsletter, asked))) {
      return { subscriber: await insertFormer(tx, newsletter, asked, ctx.clock.now()), outcome: 'existing' };
    }
    const start = ready ?? (await startOf(within, newsletter, asked));
    const started = held === undefined ? await insert(tx, start) : await restart(tx, start, held);
    if (started === undefined) return { subscriber: await justMade(tx, start), outcome: 'existing' };
    const subscriber = await welcome(within, start, started);
    return { subscriber, outcome: held === undefined ? 'created' : 'restarted' };
  });
}

/**
 * A person who signs up on a page without confirmation is told that they are subscribed: so they are, who waited too.
 */
const mayRestart = ({ doubleOptIn }: Newsletter, { status }: Subscriber, asked: SignUp): boolean =>
  asked.via === 'public'
    ? status === 'unsubscribed' || (status === 'pending' && !doubleOptIn)
    : status === 'unsubscribed' && asked.resubscribe === true;

/** Somebody left after their row was removed: a caller brings them back as it brings back others who left. */
async function staysOut(ctx: SubscribersCtx, { id }: Newsletter, asked: SignUp): Promise<boolean> {
  await awaitLeaving(ctx.db, { workspaceId: ctx.workspaceId, listId: id });
  if (asked.via === 'public' || asked.resubscribe === true) return false;
  return hasLeft(ctx, id, asked.email.identity);
}

/** The row of somebody who has left, and of whom nothing was kept but that. */
async function insertFormer(tx: Db, newsletter: Newsletter, asked: SignUp, at: Date): Promise<Subscriber> {
  const { email, name, source, metadata = {} } = asked;
  const row = { workspaceId: newsletter.workspaceId, id: newId(), newsletterId: newsletter.id, email: email.identity };
  const given = { name, source, metadata: { ...metadata, unsubscribe_reason: 'user' } };
  const made = await insertSubscriber(tx, { ...row, ...given, status: 'unsubscribed', consent: {}, at });
  return made ?? justMade(tx, { newsletter, asked });
}

/** How somebody begins, judged before anything is written. */
interface Start {
  newsletter: Newsletter;
  asked: SignUp;
  at: Date;
  status: 'pending' | 'active';
  consent: ConsentSummary;
  /** The newsletter that asks for confirmation; null where nobody does. */
  sender: NewsletterSender | null;
}

async function startOf(ctx: SubscribersCtx, newsletter: Newsletter, asked: SignUp): Promise<Start> {
  const at = ctx.clock.now();
  const asksFirst = newsletter.doubleOptIn && asked.skipConfirmation !== true;
  const sender = asksFirst ? await requireConfirmationSender(ctx, newsletter) : null;
  return {
    newsletter,
    asked,
    at,
    status: asksFirst ? 'pending' : 'active',
    consent: consentOf(asked, asksFirst, at),
    sender,
  };
}

function consentOf(asked: SignUp, asksFirst: boolean, at: Date): ConsentSummary {
  const evidence = storableEvidence(asked.evidence);
  return {
    method: asksFirst ? 'double_opt_in' : asked.skipConfirmation === true ? 'attested' : 'single_opt_in',
    signup_at: (asked.signedUpAt ?? at).toISOString(),
    signup_ip: evidence.ip,
    signup_user_agent: evidence.userAgent,
    signup_url: evidence.url,
    signup_via: asked.via,
    ...(asksFirst ? {} : { confirmed_at: at.toISOString() }),
  };
}

/** Undefined: somebody else has put the address on the list in between. */
const insert = (tx: Db, { newsletter, asked, at, status, consent }: Start): Promise<Subscriber | undefined> =>
  insertSubscriber(tx, {
    workspaceId: newsletter.workspaceId,
    id: newId(),
    newsletterId: newsletter.id,
    email: asked.email.identity,
    name: asked.name,
    source: asked.source,
    metadata: asked.metadata ?? {},
    status,
    consent,
    at,
  });

/** Undefined: somebody else has brought the person back in between, or deleted them. */
async function restart(tx: Db, start: Start, held: Subscriber): Promise<Subscriber | undefined> {
  const row = await lockSubscriber(tx, held.workspaceId, held.newsletterId, held.id);
  if (row === undefined) return insert(tx, start);
  if (!mayRestart(start.newsletter, row, start.asked)) return undefined;
  const moved = await moveSubscriber(tx, row, {
    status: start.status,
    at: start.at,
    generation: 0,
    confirmedAt: start.status === 'active' ? start.at : null,
    unsubscribedAt: null,
    statusBefore: null,
    unsubscribedIssueId: null,
    reason: null,
    consent: start.consent,
  });
  return moved === undefined ? undefined : describedAnew(tx, start, moved);
}

/** Values given by a caller with a key count for a beginning; a stranger's words do not replace what is known. */
async function describedAnew(tx: Db, { asked, at }: Start, row: Subscriber): Promise<Subscriber> {
  const { name, source, metadata = {} } = asked;
  if (asked.via !== 'api' || (name === null && source === null && Object.keys(metadata).length === 0)) return row;
  return updateSubscriber(tx, row, {
    name: name ?? row.name,
    source: source ?? row.source,
    metadata: mergeMetadata(row.metadata, metadata),
    at,
  });
}

async function justMade(tx: Db, { newsletter, asked }: Pick<Start, 'newsletter' | 'asked'>): Promise<Subscriber> {
  const found = await findSubscriberByEmail(tx, newsletter.workspaceId, newsletter.id, asked.email.identity);
  if (found === undefined) throw unacceptable('email', 'This address was removed at the same moment. Try again.');
  return found;
}

/** The records that belong to a beginning: the email, the record of the consent, and the news of it. */
async function welcome(ctx: SubscribersCtx, start: Start, started: Subscriber): Promise<Subscriber> {
  const { newsletter, asked, at, sender } = start;
  const mails =
    sender !== null &&
    newsletter.confirmationsPausedAt === null &&
    (await mayMailFirst(ctx, asked.email.identity, asked.via));
  const sent = mails
    ? await sendConfirmation(ctx, { newsletter, subscriber: started, to: asked.email, sender, at })
    : null;
  const subscriber = sent?.subscriber ?? started;
  await recordConsents(ctx.db, ctx.secrets, [
    {
      person: personOf(subscriber),
      action: asked.skipConfirmation === true ? 'added' : 'signed_up',
      at,
      evidence: asked.evidence,
      typed: asked.email.address,
      ...(sent === null ? {} : { emailId: sent.emailId }),
      details: { via: asked.via, by: actorOf(ctx), ...(asked.consent === undefined ? {} : { consent: asked.consent }) },
    },
  ]);
  await tellJoined(ctx.db, newsletter, [subscriber], ctx.actor);
  return subscriber;
}

const actorOf = ({ actor }: SubscribersCtx): string => (actor.id === null ? actor.type : `${actor.type}:${actor.id}`);

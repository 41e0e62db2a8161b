import {
  type ConsentSummary,
  DeclaredConsent,
  type Evidence,
  noEvidence,
  readDeclared,
  recordConsents,
  storableEvidence,
} from '#features/consents';
import { suppressedAmong } from '#features/suppressions';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import { conflict, unacceptable } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../newsletter.ts';
import { mayMailFirst } from './confirmation/confirmation-limits.ts';
import { requireConfirmationSender, sendConfirmation } from './confirmation/confirmation-mail.ts';
import { hasLeft } from './leaving/leave-when-gone.ts';
import { awaitLeaving } from './leaving/leaving-lock-queries.ts';
import { findSubscriberByEmail, moveToAddress } from './queries.ts';
import { personOf, type Subscriber } from './subscriber.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

export interface NewAddress {
  to: Mailbox;
  /** The caller vouches for the person's consent to be mailed there. */
  consent: DeclaredConsent | undefined;
}

/**
 * Gives a locked subscriber another address, in the caller's transaction, which keeps suppressions of it out. An
 * active subscriber who must confirm addresses does so again, unless the caller describes a consent; a pending one
 * goes on waiting, and is asked at the new address; one who left has left. Links to confirm that went to the old
 * address work no longer, and an unsubscribe from before cannot be undone. Throws 409 (param `email`) when the
 * newsletter has the address, 422 when it is suppressed or its person has left (param `email`), the consent describes
 * nothing (`consent`), or nobody can ask for confirmation (`from_email`).
 */
export async function changeAddress(
  ctx: SubscribersCtx,
  newsletter: Newsletter,
  row: Subscriber,
  { to, consent }: NewAddress,
): Promise<Subscriber> {
  const at = ctx.clock.now();
  if (consent !== undefined && !Object.values(consent).some((value) => value != null)) {
    throw unacceptable('consent', 'Describe in consent how the person agreed, or leave it out.');
  }
  const { evidence, agreedAt } = readDeclared(consent, at);
  const { identity } = to;
  if ((await suppressedAmong(ctx.db, ctx.workspaceId, [identity])).has(identity)) {
    throw unacceptable('email', 'This address cannot be subscribed.');
  }
  if ((await findSubscriberByEmail(ctx.db, ctx.workspaceId, newsletter.id, identity)) !== undefined) throw isTaken();
  await awaitLeaving(ctx.db, { workspaceId: ctx.workspaceId, listId: newsletter.id });
  if (row.status !== 'unsubscribed' && (await hasLeft(ctx, newsletter.id, identity))) {
    throw unacceptable('email', 'The person at this address has unsubscribed from this newsletter.');
  }
  const isConfirmed = row.status === 'active' && consent !== undefined;
  const asksFirst = row.status === 'pending' || (newsletter.doubleOptIn && row.status === 'active' && !isConfirmed);
  const sender = asksFirst ? await requireConfirmationSender(ctx, newsletter) : null;
  const moved = await moveToAddress(ctx.db, row, {
    email: identity,
    status: asksFirst ? 'pending' : row.status,
    consent: summaryOf(row, { asksFirst, isConfirmed, evidence, at: agreedAt ?? at }),
    at,
  });
  if (moved === undefined) throw isTaken();
  const mails =
    sender !== null && newsletter.confirmationsPausedAt === null && (await mayMailFirst(ctx, identity, 'api'));
  const sent = mails ? await sendConfirmation(ctx, { newsletter, subscriber: moved, to, sender, at }) : null;
  await record(ctx, row, moved, { to, consent, evidence, at, emailId: sent?.emailId });
  return sent?.subscriber ?? moved;
}

const isTaken = () => conflict('Another subscriber of this newsletter has this address.', 'email');

function summaryOf(
  { consent }: Subscriber,
  to: { asksFirst: boolean; isConfirmed: boolean; evidence: Evidence; at: Date },
): ConsentSummary {
  const { confirmed_at: _at, confirmed_ip: _ip, confirmed_user_agent: _agent, ...signup } = consent;
  if (to.asksFirst) return { ...signup, method: 'double_opt_in' };
  if (!to.isConfirmed) return consent;
  const { ip, userAgent, url } = storableEvidence(to.evidence);
  return {
    method: 'attested',
    signup_at: to.at.toISOString(),
    signup_ip: ip,
    signup_user_agent: userAgent,
    signup_url: url,
    signup_via: 'api',
    confirmed_at: to.at.toISOString(),
  };
}

/** On record for both addresses: each is found by the hash of its own. The evidence belongs to the new one. */
async function record(
  ctx: SubscribersCtx,
  before: Subscriber,
  now: Subscriber,
  change: NewAddress & { evidence: Evidence; at: Date; emailId: string | undefined },
): Promise<void> {
  const { actor } = ctx;
  const by = actor.id === null ? actor.type : `${actor.type}:${actor.id}`;
  const { at, evidence, to, consent, emailId } = change;
  const action = 'address_changed';
  await recordConsents(ctx.db, ctx.secrets, [
    { person: personOf(before), action, at, evidence: noEvidence, details: { via: 'api', by } },
    {
      person: personOf(now),
      action,
      at,
      evidence,
      typed: to.address,
      ...(emailId === undefined ? {} : { emailId }),
      details: { via: 'api', by, previous_email: before.email, ...(consent === undefined ? {} : { consent }) },
    },
  ]);
}

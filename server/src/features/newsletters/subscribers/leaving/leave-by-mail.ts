import { type Evidence, noEvidence } from '#features/consents';
import { parseLeavingAddress, formatLeavingAddress, type LeavingPerson } from '#mail/list-mail/leaving-address.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { publicActor } from '#platform/http/context.ts';
import { domainOf, type FindDestination } from '#platform/smtp/mail-destination.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';
import { findFormerSubscriber, findNewsletterOfSubscriber } from './leave-by-mail-queries.ts';
import { leaveWhenGone } from './leave-when-gone.ts';
import { unsubscribeSubscriber } from './unsubscribe-subscriber.ts';

export interface LeaveByMailPorts {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  settings: Settings;
}

const PURPOSE = 'leaving by mail';
/** Nothing in the message counts. */
const KEPT_BYTES = 1_024;
const MESSAGE_BYTES_MAX = 1_048_576;

/** The address by which a subscriber leaves by mail; null when no mail of ours arrives. */
export function leavingAddress(
  { secrets, settings }: { secrets: Secrets; settings: Pick<Settings, 'bounceDomain' | 'inboundSmtpPort'> },
  person: LeavingPerson,
): string | null {
  if (settings.bounceDomain === null || settings.inboundSmtpPort === 0) return null;
  return `${formatLeavingAddress(person, secrets.key(PURPOSE))}@${settings.bounceDomain.toLowerCase()}`;
}

/**
 * Where requests to leave arrive by mail: any message to the address of a person takes them off the list, as one click
 * does. The address is the proof, whoever sends; 250 follows the commit.
 */
export function leavingDestination(ports: LeaveByMailPorts): FindDestination {
  const domain = ports.settings.bounceDomain?.toLowerCase();
  const key = ports.secrets.key(PURPOSE);
  return async (address) => {
    if (domainOf(address) !== domain) return undefined;
    const person = parseLeavingAddress(address.slice(0, address.lastIndexOf('@')), key);
    if (person === null) return undefined;
    return {
      key: `leaving ${person.personId}`,
      recipientsMax: 1,
      messageBytes: MESSAGE_BYTES_MAX,
      keepBytes: KEPT_BYTES,
      accept: ({ address: ip }) => leave(ports, person, ip),
    };
  };
}

async function leave(ports: LeaveByMailPorts, person: LeavingPerson, ip: string): Promise<void> {
  const { workspaceId, personId: subscriberId } = person;
  const ctx = { ...ports, workspaceId, actor: publicActor };
  const evidence = { ...noEvidence, ip, url: 'mailto:unsubscribe' };
  const newsletterId = await findNewsletterOfSubscriber(ports.db, workspaceId, subscriberId);
  if (newsletterId === undefined) return leaveAsFormer(ctx, subscriberId, evidence);
  try {
    await unsubscribeSubscriber(ctx, { newsletterId, subscriberId, reason: 'user', issueId: null, evidence });
  } catch (error) {
    if (!(error instanceof AppError && error.name === 'not_found_error')) throw error;
    await leaveAsFormer(ctx, subscriberId, evidence);
  }
}

/** The address of a person has no room for theirs: it is that of the newest email to them, while one is kept. */
async function leaveAsFormer(ctx: SubscribersCtx, subscriberId: string, evidence: Evidence): Promise<void> {
  const former = await findFormerSubscriber(ctx.db, ctx.workspaceId, subscriberId);
  if (former !== undefined) await leaveWhenGone(ctx, { ...former, subscriberId }, { issueId: null, evidence });
}

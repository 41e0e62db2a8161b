import type { Domain, RecordState } from '../domain.ts';
import { claimDueIdentity, claimIdentity, findIdentity, markSeen, type Seen } from './queries.ts';
import type { IdentityLook } from './sending-identities.ts';
import { type IdentityPorts, settleIdentity, wordsOf } from './settle-identity.ts';

/** How the delivery service sees a domain, as a record of its check. */
export interface IdentitySeen {
  state: RecordState;
  /** `waits`: the service has yet to see the key in the DNS. */
  outcome: 'verified' | 'waits' | 'temporary_failure';
  /** It gave no answer in time. */
  isTimedOut?: boolean;
}

/** Of the entry in the evidence of a check. */
export const IDENTITY_KEY = 'identity';

/**
 * Asks the delivery service about a domain. `isProven`: its key was just found in the DNS, so the service gets it now
 * when it has it not.
 */
export async function lookAtIdentity(ports: IdentityPorts, domain: Domain, isProven: boolean): Promise<IdentitySeen> {
  const { db, identities } = ports;
  const owner = { workspaceId: domain.workspaceId, domainId: domain.id };
  const name = { domain: domain.domain, region: domain.providerRegion };
  if (isProven) {
    await claimIdentity(db, owner, { ...name, selector: domain.dkimSelector });
    const due = await claimDueIdentity(db, owner);
    if (due !== undefined) await settleIdentity(ports, due);
  }
  try {
    const look = await identities.look(name);
    const stored = await findIdentity(db, owner);
    const isOurs = look !== null && look.selector === domain.dkimSelector && stored?.selector === look.selector;
    if (stored !== undefined) await markSeen(db, owner, meaningOf(look, { isOurs, isProven }), look);
    return judge(identities.service, look, isOurs, stored?.failure ?? null);
  } catch (error) {
    const words = `${identities.service} gave no answer (${wordsOf(error)}).`;
    const isTimedOut = error instanceof Error && error.name === 'TimeoutError';
    return { outcome: 'temporary_failure', isTimedOut, state: stateOf('temporary_failure', [], words) };
  }
}

/** A service that has given up looking for the key begins again when it gets the key again. */
function meaningOf(look: IdentityLook | null, { isOurs, isProven }: { isOurs: boolean; isProven: boolean }): Seen {
  if (look === null || (look.status === 'failed' && isProven)) return 'gone';
  if (!look.takesMail || !isOurs) return 'not ready';
  return look.status === 'verified' ? 'ready' : 'unchanged';
}

function judge(service: string, look: IdentityLook | null, isOurs: boolean, failure: string | null): IdentitySeen {
  if (look === null) {
    const why = failure === null ? '' : ` The last attempt: ${failure}`;
    return waits('missing', [], `${service} does not have the domain yet. Posthorn adds it by itself.${why}`);
  }
  const found = [look.words];
  if (!isOurs) {
    const hint = `${service} has another key for this domain. It gets the key of the domain when the DKIM record is found.`;
    return waits('mismatch', found, hint);
  }
  if (look.status === 'verified') return { outcome: 'verified', state: stateOf('found', found, null) };
  return waits(
    'missing',
    found,
    `${service} has not yet seen the DKIM record. It looks by itself, often within minutes.`,
  );
}

const waits = (status: RecordState['status'], found: readonly string[], hint: string): IdentitySeen => ({
  outcome: 'waits',
  state: stateOf(status, found, hint),
});

const stateOf = (status: RecordState['status'], found: readonly string[], hint: string | null): RecordState => ({
  key: IDENTITY_KEY,
  status,
  found,
  hint,
  publish: null,
});

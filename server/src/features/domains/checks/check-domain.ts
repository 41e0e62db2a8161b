import { publishWebhook } from '#features/webhooks';
import { mailOwners, type OwnersMailPorts, recordSecurityEvent, type SecuritySource } from '#features/workspaces';
import { endsWithin } from '#platform/clock.ts';
import { type Db, inTransaction, onCommit } from '#platform/db/database.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { LookUp } from '#platform/dns/lookup.ts';
import type { FindNameServers } from '#platform/dns/name-servers.ts';
import { newId } from '#platform/ids.ts';
import type { Domain } from '../domain.ts';
import { IDENTITY_KEY, type IdentitySeen, lookAtIdentity } from '../identities/look-at-identity.ts';
import type { SendingIdentities } from '../identities/sending-identities.ts';
import { findDomain, findOtherHolder, lockDomain } from '../domain-queries.ts';
import { providerHostsOf } from '../records/provider-hosts.ts';
import { forgetSenderDomain } from '../sender-domain.ts';
import { evidenceOf, storableStates } from './evidence.ts';
import { type DnsLook, lookAtDns } from './look-at-dns.ts';
import { type Change, type CheckedState, type Finding, findingOf, findingOfVerified, nextState } from './next-state.ts';
import { nextCheckWithKey, seenNextSelector, withNextKey } from './next-key.ts';
import { mailOfChange } from './owners-mail.ts';
import {
  claimName,
  deleteRetiredKeys,
  hastenOthers,
  insertCheck,
  lockWatch,
  promoteNextKey,
  releaseName,
  updateStatus,
  updateWatch,
} from './queries.ts';

export interface CheckPorts extends OwnersMailPorts {
  db: Db;
  secrets: Secrets;
  /** A session of look-ups, for one check. */
  lookUp(): LookUp;
  findNameServers: FindNameServers;
  /** null: mail goes to a service that takes mail of every domain. */
  identities: SendingIdentities | null;
}

/** The caller who asked for the check; null: nobody, it was due. */
export type Asker = SecuritySource | null;

/** All servers have answered by then, or the check knows no more than that they did not. */
const CHECK_MS_MAX = 20_000;
const NAME_SERVERS_MS_MAX = 5_000;

const TAKEN = 'The domain is verified in another workspace of this installation. To claim it, delete it there first.';

/**
 * Looks at the DNS of a domain, asks the delivery service about it, and stores what follows. The looks come first and
 * hold no transaction. Undefined: the domain was deleted meanwhile.
 */
export async function checkDomain(
  ports: CheckPorts,
  key: { workspaceId: string; id: string },
  asker: Asker,
): Promise<Domain | undefined> {
  return (await runCheck(ports, key, asker))?.domain;
}

/** The same; `isTimedOut`: it found no certain answer because somebody did not answer in time. */
export async function runCheck(
  ports: CheckPorts,
  key: { workspaceId: string; id: string },
  asker: Asker,
): Promise<{ domain: Domain; isTimedOut: boolean } | undefined> {
  const domain = await findDomain(ports.db, key.workspaceId, key.id);
  if (domain === undefined) return undefined;
  const [look, nameServers] = await Promise.all([lookInTime(ports, domain), nameServersInTime(ports, domain)]);
  const isTaken = (await findOtherHolder(ports.db, domain.domain, key.workspaceId)) !== undefined;
  const identity = await askService(ports, domain, look, isTaken);
  const apply = (tx: Db, tellsOwners: boolean) =>
    storeCheck(ports, tx, { key, look, nameServers, identity, isTaken, asker, tellsOwners });
  try {
    await inTransaction(ports.db, (tx) => apply(tx, true));
  } catch (error) {
    // Mail that cannot be queued must not keep the state of a domain from being stored.
    ports.log.error({ err: error, domain: key.id }, 'a check of a domain could not be stored with its mails');
    await inTransaction(ports.db, (tx) => apply(tx, false));
  }
  const checked = await findDomain(ports.db, key.workspaceId, key.id);
  if (checked === undefined) return undefined;
  if (checked.dkimSelector !== domain.dkimSelector) await passKeyOn(ports, checked);
  const { outcome } = findingBy(domain, look, identity, isTaken);
  return { domain: checked, isTimedOut: outcome === 'temporary_failure' && isSilent(look, identity) };
}

/** A required record, or the delivery service, has no answer because of a time-out. */
function isSilent(look: DnsLook | null, identity: IdentitySeen | null): boolean {
  if (look === null || identity?.isTimedOut === true) return true;
  const names = look.wanted.flatMap(({ required, type, name }) => (required ? [`${type} ${name}`] : []));
  return look.lookups.some(
    ({ type, name, values, answers }) =>
      values === null && names.includes(`${type} ${name}`) && answers.some(({ error }) => error === 'timeout'),
  );
}

/** The delivery service gets the key that signs from now on. Without an answer it gets it later. */
async function passKeyOn(ports: CheckPorts, domain: Domain): Promise<void> {
  if (ports.identities === null) return;
  await lookAtIdentity({ ...ports, identities: ports.identities }, domain, true);
}

async function lookInTime(ports: CheckPorts, domain: Domain): Promise<DnsLook | null> {
  const hosts = providerHostsOf(ports.settings, domain.providerRegion);
  const look = lookAtDns(domain, hosts, ports.lookUp());
  return (await endsWithin(ports.clock, CHECK_MS_MAX, look)) ? look : null;
}

/** The service gets the key of the domain when the DNS has shown that it is right. null: it need not know domains. */
async function askService(
  ports: CheckPorts,
  domain: Domain,
  look: DnsLook | null,
  isTaken: boolean,
): Promise<IdentitySeen | null> {
  const { identities } = ports;
  if (identities === null) return null;
  const isProven = findingBy(domain, look, null, isTaken).outcome === 'verified';
  return lookAtIdentity({ ...ports, identities }, domain, isProven);
}

/** For the steps at the host of the zone; without an answer the last ones stay. */
async function nameServersInTime(ports: CheckPorts, { domain }: Domain): Promise<string[] | null> {
  const found = ports.findNameServers(domain);
  return (await endsWithin(ports.clock, NAME_SERVERS_MS_MAX, found)) ? found : null;
}

interface Checked {
  key: { workspaceId: string; id: string };
  /** null: it took too long. */
  look: DnsLook | null;
  nameServers: string[] | null;
  identity: IdentitySeen | null;
  isTaken: boolean;
  asker: Asker;
  tellsOwners: boolean;
}

async function storeCheck(ports: CheckPorts, tx: Db, checked: Checked): Promise<void> {
  const { key, look, identity, asker } = checked;
  const domain = await lockDomain(tx, key.workspaceId, key.id);
  if (domain === undefined) return;
  let finding = findingBy(domain, look, identity, checked.isTaken);
  // Before the watch is locked: others wait here for the commit of the one that comes first, and hold nothing.
  if (finding.outcome === 'verified' && !(await claimName(tx, key, domain.domain))) {
    finding = { outcome: 'failed', reason: TAKEN };
  }
  const before = await lockWatch(tx, key);
  if (before === undefined) return;
  const { nowMs, ...current } = before;
  const { state, change } = nextState(current, finding, { byHand: asker !== null, nowMs });
  const seen = identity === null ? [] : [identity.state];
  const isRotated = await rotateTo(ports, tx, { domain, look, finding, asker });
  if (!isRotated) state.nextCheckAt = nextCheckWithKey(state.nextCheckAt, domain, nowMs);
  const records = storableStates([...(look?.states ?? domain.recordStates.filter(isOfDns)), ...seen]);
  await updateWatch(tx, key, state, records, checked.nameServers);
  await insertCheck(tx, key, {
    id: newId(),
    byHand: asker !== null,
    outcome: finding.outcome,
    reason: finding.reason,
    records: records.map(({ key, status, found, hint }) => ({ key, status, found, hint })),
    lookups: evidenceOf(look?.lookups ?? []),
  });
  if (state.status !== current.status) {
    await updateStatus(tx, key, { ...state, isNew: change === 'verified' });
    onCommit(tx, () => forgetSenderDomain(key.workspaceId, domain.domain));
  }
  if (change !== null) await tell(ports, tx, { domain, state, change, asker, tellsOwners: checked.tellsOwners });
}

const isOfDns = ({ key }: { key: string }): boolean => key !== IDENTITY_KEY;

function findingBy(domain: Domain, look: DnsLook | null, identity: IdentitySeen | null, isTaken: boolean): Finding {
  if (isTaken) return { outcome: 'failed', reason: TAKEN };
  if (look === null) {
    return { outcome: 'temporary_failure', reason: 'The DNS servers took too long to answer. Try again later.' };
  }
  const judge = domain.dkimStatus === 'verified' ? findingOfVerified : findingOf;
  const isNextSeen = seenNextSelector(look.wanted, look.states) !== undefined;
  const finding = judge(isNextSeen ? withNextKey(look.wanted) : look.wanted, look.states);
  if (finding.outcome !== 'verified' || identity === null || identity.outcome === 'verified') return finding;
  return { outcome: 'temporary_failure', reason: identity.state.hint, waits: identity.outcome === 'waits' };
}

/** The next key signs from now on when its record was seen. True: it does. */
async function rotateTo(
  ports: CheckPorts,
  tx: Db,
  { domain, look, finding, asker }: { domain: Domain; look: DnsLook | null; finding: Finding; asker: Asker },
): Promise<boolean> {
  const { workspaceId, id } = domain;
  await deleteRetiredKeys(tx, domain);
  const selector = look === null ? undefined : seenNextSelector(look.wanted, look.states);
  if (selector === undefined || finding.reason === TAKEN) return false;
  if (!(await promoteNextKey(tx, domain, selector))) return false;
  const source = asker ?? { actor: SYSTEM, ip: null, clock: ports.clock };
  await recordSecurityEvent(
    tx,
    { ...source, workspaceId },
    {
      action: 'domain.dkim_rotated',
      targetType: 'domain',
      targetId: id,
      details: { domain: domain.domain, selector, former: domain.dkimSelector },
    },
  );
  return true;
}

interface Told {
  domain: Domain;
  state: CheckedState;
  change: Change;
  asker: Asker;
  tellsOwners: boolean;
}

const ACTIONS: Record<Change, string> = {
  verified: 'domain.verified',
  failed: 'domain.failed',
  regressed: 'domain.verification_lost',
};

/** The claim, the security log, webhooks and the owners, together with the change. */
async function tell(ports: CheckPorts, tx: Db, { domain, state, change, asker, tellsOwners }: Told): Promise<void> {
  const { workspaceId, id } = domain;
  if (change === 'verified') await hastenOthers(tx, domain, domain.domain);
  if (change === 'regressed') await releaseName(tx, domain);
  const source = asker ?? { actor: SYSTEM, ip: null, clock: ports.clock };
  await recordSecurityEvent(
    tx,
    { ...source, workspaceId },
    {
      action: ACTIONS[change],
      targetType: 'domain',
      targetId: id,
      details: { domain: domain.domain, ...(state.failureReason === null ? {} : { reason: state.failureReason }) },
    },
  );
  const verifiedAt = change === 'verified' ? ports.clock.now() : domain.verifiedAt;
  await publishWebhook(tx, {
    workspaceId,
    type: change === 'verified' ? 'domain.verified' : 'domain.failed',
    domainId: id,
    data: {
      domain: {
        id,
        domain: domain.domain,
        provider_region: domain.providerRegion,
        dkim_status: state.status,
        sending_enabled: state.sendingEnabled,
        verified_at: verifiedAt?.toISOString() ?? null,
      },
      ...(state.failureReason === null ? {} : { reason: state.failureReason }),
    },
  });
  // A caller who asked has the answer; what happens without one, people must hear of.
  if (asker === null && tellsOwners) {
    await mailOwners(ports, tx, workspaceId, (name) => mailOfChange(change, domain.domain, state.failureReason, name));
  }
}

const SYSTEM = { type: 'system', id: null, email: null } as const;

import type { SendingStop } from '#platform/errors/sending-stopped.ts';
import { LRUCache } from 'lru-cache';
import type { Db } from '#platform/db/database.ts';
import { findDomainByName } from './queries.ts';

/** A domain this workspace may send from. */
export interface SenderDomain {
  domain: string;
  /** null for a domain of the instance (setting), which has no row, no caps and no DKIM key. */
  domainId: string | null;
  sendingEnabled: boolean;
  /** Recipients accepted per UTC day and calendar month; null is unlimited, 0 is blocked. */
  caps: { daily: number | null; monthly: number | null };
  dkimSelector: string | null;
  hasKey: boolean;
  /** Nothing new may be accepted from the callers of the workspace. */
  sendingStop: SendingStop;
  /** The quota of the workspace: recipients a calendar month (UTC); null is none. */
  emailsPerMonth: number | null;
  /** The tracking of a send that does not set it: the setting of the workspace. */
  tracking: { opens: boolean; clicks: boolean };
}

/** The dependencies of a look-up in its caller's ctx. */
interface Asking {
  db: Db;
  workspaceId: string;
  settings: { readonly edition: string; readonly senderDomains: readonly string[] };
}

// A second is the promise for a changed cap or a withdrawn domain. The bound keeps a caller who sends from ten
// million made-up domains from filling the memory: 20,000 entries are about 5 MB.
const cache = new LRUCache<string, { found: SenderDomain | undefined }>({ max: 20_000, ttl: 1_000 });

/** The look-ups under way. A call that comes meanwhile gets the same answer, as it would a moment later. */
const reading = new Map<string, Promise<SenderDomain | undefined>>();
/** Higher after each change: what was read before one is kept by nobody. */
let generation = 0;

/**
 * How a domain becomes one that mail may be sent from, as the last sentence of a refusal of another. Only the operator
 * can set a setting, so a guest of the cloud is not told of it. It reads the workspace: use it when you refuse.
 */
export async function howToVerify(ctx: Asking, domain: string): Promise<string> {
  if (ctx.settings.edition === 'self-hosted')
    return 'The operator of Posthorn names domains in POSTHORN_SENDER_DOMAINS.';
  const row = await findDomainByName(ctx.db, ctx.workspaceId, domain);
  return row?.isHome === true
    ? 'Add your domain in the dashboard under Domains or with POST /v1/domains and verify it, or name it in POSTHORN_SENDER_DOMAINS and start again.'
    : 'Add your domain in the dashboard under Domains or with POST /v1/domains, and verify it.';
}

/**
 * The verified domain of the workspace with this name (lower case, ASCII), or undefined: not there, not verified, and
 * somebody else's all look alike. At most a second old.
 */
export async function findSenderDomain(ctx: Asking, domain: string): Promise<SenderDomain | undefined> {
  const key = `${ctx.workspaceId} ${domain}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached.found;
  // A transaction reads what it has written itself.
  if (ctx.db.isTransaction) return read(ctx, domain);
  let shared = reading.get(key);
  if (shared === undefined) {
    const started = read(ctx, domain).finally(() => {
      if (reading.get(key) === started) reading.delete(key);
    });
    reading.set(key, (shared = started));
  }
  return shared;
}

async function read(ctx: Asking, domain: string): Promise<SenderDomain | undefined> {
  const began = generation;
  const found = await lookUp(ctx, domain);
  if (generation === began) cache.set(`${ctx.workspaceId} ${domain}`, { found });
  return found;
}

/** Drops what this process remembers of a domain; others follow within a second. */
export function forgetSenderDomain(workspaceId: string, domain: string): void {
  generation += 1;
  cache.delete(`${workspaceId} ${domain}`);
  reading.delete(`${workspaceId} ${domain}`);
}

/** The same for all domains of a workspace, when what it may send was changed. */
export function forgetSenderDomains(workspaceId: string): void {
  generation += 1;
  for (const kept of [cache, reading])
    for (const key of kept.keys()) if (key.startsWith(`${workspaceId} `)) kept.delete(key);
}

async function lookUp(ctx: Asking, domain: string): Promise<SenderDomain | undefined> {
  const row = await findDomainByName(ctx.db, ctx.workspaceId, domain);
  if (row === undefined) return undefined;
  const ofWorkspace = {
    sendingStop: row.sendingStop,
    emailsPerMonth: row.emailsPerMonth,
    tracking: { opens: row.trackOpens, clicks: row.trackClicks },
  };
  if (row.id !== null && row.sendingEnabled) {
    return {
      domain,
      domainId: row.id,
      sendingEnabled: true,
      caps: { daily: row.maxDaily, monthly: row.maxMonthly },
      dkimSelector: row.dkimSelector,
      hasKey: row.hasKey,
      ...ofWorkspace,
    };
  }
  // Self-hosted has no domain management: the operator's list counts for everybody. In the cloud it is the operator's
  // own, so only the home workspace may use it.
  const ofInstance = ctx.settings.senderDomains.includes(domain);
  if (!ofInstance || !(ctx.settings.edition === 'self-hosted' || row.isHome)) return undefined;
  return {
    domain,
    domainId: null,
    sendingEnabled: true,
    caps: { daily: null, monthly: null },
    dkimSelector: null,
    hasKey: false,
    ...ofWorkspace,
  };
}

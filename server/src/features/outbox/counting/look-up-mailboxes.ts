import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { ResolveRecords } from '#platform/dns/resolve-records.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { claimUnknownDomains, giveUpDomains, rememberProviders } from './mailbox-domains-queries.ts';
import { OTHER_PROVIDER, providerOf } from './mailbox-providers.ts';

const EVERY_MS = 60_000;
const PAGE = 50;
/** Hours apart; a domain whose name servers stay silent is counted as one of the others. */
const TRIES = 3;

interface MailboxPorts {
  db: Db;
  clock: Clock;
  log: Log;
  resolve: ResolveRecords;
}

/** Asks once for the MX of each domain that mail was sent to. Returns how many it asked for. */
export async function lookUpMailboxes({ db, resolve }: Pick<MailboxPorts, 'db' | 'resolve'>): Promise<number> {
  const domains = await claimUnknownDomains(db, PAGE);
  const looked = await Promise.all(
    domains.map(async (domain) => ({ domain, provider: await findProvider(resolve, domain) })),
  );
  const found = looked.flatMap(({ domain, provider }) => (provider === null ? [] : [{ domain, provider }]));
  if (found.length > 0) await rememberProviders(db, found);
  if (found.length < domains.length) await giveUpDomains(db, domains, TRIES);
  return domains.length;
}

/** Names for documents and tests (RFC 2606, RFC 6761) have no mailboxes. */
const RESERVED = /(^|\.)(test|example|invalid|localhost|example\.(com|net|org))$/;

/** null: nobody can say now. */
async function findProvider(resolve: ResolveRecords, domain: string): Promise<string | null> {
  if (RESERVED.test(domain)) return OTHER_PROVIDER;
  try {
    return providerOf(hostsIn(await resolve(domain, 'MX')));
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    return code === 'ENOTFOUND' || code === 'ENODATA' ? OTHER_PROVIDER : null;
  }
}

/** Of records in the form of node:dns: `{ exchange, priority }`. */
const hostsIn = (records: readonly unknown[]): string[] =>
  records.flatMap((record) => {
    const host: unknown = record !== null && typeof record === 'object' ? Reflect.get(record, 'exchange') : undefined;
    return typeof host === 'string' ? [host] : [];
  });

export const lookUpMailboxesService = (ports: MailboxPorts): Service =>
  loop<number>({
    name: 'mailbox providers',
    everyMs: EVERY_MS,
    clock: ports.clock,
    log: ports.log,
    failure: 'the providers of mailboxes could not be looked up; trying again',
    round: () => lookUpMailboxes(ports),
    waitMs: (asked) => (asked === PAGE ? 0 : EVERY_MS),
  });

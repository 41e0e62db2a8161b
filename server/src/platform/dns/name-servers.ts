import { Resolver } from 'node:dns/promises';
import { type ServerAddress, serverName } from './server-address.ts';

/** The name servers of the zone that holds a name: lower case, sorted. null: nobody has said. */
export type FindNameServers = (name: string) => Promise<string[] | null>;

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const SERVERS_MAX = 16;
/** Anybody can put anything into the DNS of a domain. */
const HOST = /^[a-z0-9._-]{1,253}$/;
/** The codes of c-ares for a name that has no such record, or does not exist. */
const NOT_THERE = new Set(['ENODATA', 'ENOTFOUND']);

/** Asks `servers`, or the resolver of the machine when there are none. For hints only: it asks no second server. */
export function createNameServers(servers: readonly ServerAddress[]): FindNameServers {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers.map(serverName));
  return async (name) => {
    // A zone of one label is nobody's that has a host to choose.
    for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
      try {
        const found = await resolver.resolveNs(zone);
        const names = found.map((host) => host.toLowerCase().replace(/\.$/, '')).filter((host) => HOST.test(host));
        return [...new Set(names)].sort().slice(0, SERVERS_MAX);
      } catch (error) {
        if (!NOT_THERE.has(codeOf(error))) return null;
      }
    }
    return null;
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

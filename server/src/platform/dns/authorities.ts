import { plainName, type Reply } from './exchange.ts';
import type { AddressRules } from '../safe-fetch/address-rules.ts';
import type { ServerAddress } from './server-address.ts';

/** The part of a resolver that finds name servers; `Resolver` of node:dns/promises has it. */
export interface NameServerResolver {
  resolveNs(name: string): Promise<string[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

export interface AuthorityOptions {
  rules: AddressRules;
  resolver: NameServerResolver;
  port: number;
}

/** The name servers of a zone, each by its addresses. */
export type Zone =
  | { kind: 'zone'; servers: ServerAddress[][] }
  /** No zone on the way up has servers: the name cannot exist. */
  | { kind: 'none' }
  | { kind: 'failed'; reason: string };

export interface Authorities {
  /** Of the zone that holds this name. */
  of(name: string): Promise<Zone>;
  /** The addresses of the servers that a reply delegates the name to; empty when it delegates nothing. */
  delegatedBy(reply: Reply, name: string): Promise<ServerAddress[]>;
}

/** A zone of the field has two to eight. */
const SERVERS_MAX = 8;
const ADDRESSES_MAX = 4;
/** The codes of c-ares for a name that has no such record, or does not exist. */
const NOT_THERE = new Set(['ENODATA', 'ENOTFOUND']);

/** Finds who is responsible for names, and remembers it: one for each session of look-ups. */
export function createAuthorities(options: AuthorityOptions): Authorities {
  const zones = new Map<string, Promise<string[]>>();
  const addresses = new Map<string, Promise<ServerAddress[]>>();
  const remember = <T>(kept: Map<string, Promise<T>>, name: string, find: () => Promise<T>): Promise<T> => {
    const known = kept.get(name) ?? find();
    kept.set(name, known);
    return known;
  };
  const namesOf = (zone: string): Promise<string[]> =>
    remember(zones, zone, () => unlessMissing(options.resolver.resolveNs(zone)));
  const addressesOf = (host: string): Promise<ServerAddress[]> =>
    remember(addresses, host, () => findAddresses(options, host));

  const serversOf = async (names: readonly string[]): Promise<Zone> => {
    const servers = await Promise.all([...names].sort().slice(0, SERVERS_MAX).map(addressesOf));
    const known = servers.filter((one) => one.length > 0);
    if (known.length > 0) return { kind: 'zone', servers: known };
    return { kind: 'failed', reason: `No name server of ${names.join(', ')} has an address that may be asked.` };
  };

  return {
    async of(name) {
      const labels = plainName(name).split('.');
      try {
        for (let from = 0; from < labels.length; from += 1) {
          const names = await namesOf(labels.slice(from).join('.'));
          if (names.length > 0) return await serversOf(names);
        }
        return { kind: 'none' };
      } catch (error) {
        const code = String(Reflect.get(Object(error), 'code') ?? 'failed');
        return { kind: 'failed', reason: `The name servers of ${name} could not be found (${code}).` };
      }
    },
    async delegatedBy({ authorities, additionals }, name) {
      const hosts = authorities.flatMap((record) =>
        record.type === 'NS' && `.${plainName(name)}`.endsWith(`.${plainName(record.name)}`)
          ? [plainName(record.data)]
          : [],
      );
      const glue = additionals.flatMap((record) =>
        (record.type === 'A' || record.type === 'AAAA') && hosts.includes(plainName(record.name)) ? [record.data] : [],
      );
      if (glue.length > 0) return permitted(options, glue);
      const found = await Promise.all(hosts.slice(0, SERVERS_MAX).map((host) => addressesOf(host).catch(() => [])));
      return found.flat();
    },
  };
}

async function findAddresses(options: AuthorityOptions, host: string): Promise<ServerAddress[]> {
  const { resolver } = options;
  const [four, six] = await Promise.all([
    unlessMissing(resolver.resolve4(host)),
    unlessMissing(resolver.resolve6(host)).catch(() => []),
  ]);
  return permitted(options, [...four, ...six]);
}

/** Anyone can make a name server of their domain lead into the network of this machine. */
const permitted = ({ rules, port }: AuthorityOptions, addresses: readonly string[]): ServerAddress[] =>
  addresses
    .filter((address) => rules.judge(address) !== 'refused')
    .slice(0, ADDRESSES_MAX)
    .map((address) => ({ address, port }));

async function unlessMissing(found: Promise<string[]>): Promise<string[]> {
  try {
    return await found;
  } catch (error) {
    if (NOT_THERE.has(String(Reflect.get(Object(error), 'code')))) return [];
    throw error;
  }
}

/**
 * Looks up the records of a name at every server that may know them, and says whether all of them agree.
 *
 * The servers are those of the setting, or the authoritative ones of the zone, so that no cache and no single server
 * that lags behind decides. A server that is silent, refuses, or disagrees makes the look-up a temporary failure: it
 * never means that a record is missing.
 */
import { Resolver } from 'node:dns/promises';
import type { Answer } from 'dns-packet';
import type { Clock } from '../clock.ts';
import type { AddressRules } from '../safe-fetch/address-rules.ts';
import { type AuthorityOptions, createAuthorities, type Authorities } from './authorities.ts';
import { DnsError, exchange, type ExchangeOptions, plainName, type Reply, sameName } from './exchange.ts';
import { type ServerAddress, serverName } from './server-address.ts';

export type LookedUpType = 'TXT' | 'MX';

/** The answer of one server. */
export interface ServerAnswer {
  server: string;
  /** The values, sorted; empty: there is no such record. Null: no answer that can be used. */
  values: string[] | null;
  /** In seconds, the lowest of them. */
  ttl: number | null;
  /** Why there is no answer: `timeout`, `SERVFAIL`, …; null when there is one. */
  error: string | null;
}

export interface Lookup {
  name: string;
  type: LookedUpType;
  /** The values that all servers name, sorted; null: at least one gives no answer, or they do not agree. */
  values: string[] | null;
  /** Why there are no values. */
  reason: string | null;
  answers: ServerAnswer[];
}

export type LookUp = (name: string, type: LookedUpType) => Promise<Lookup>;

export interface LookupOptions {
  /** Asked in place of the authoritative servers; none when left out or empty. */
  servers?: readonly ServerAddress[];
  /** Which addresses of authoritative servers may be asked. The ones in `servers` are the operator's choice. */
  rules: AddressRules;
  /** Finds name servers and their addresses; the resolver of the machine when left out. */
  resolver?: AuthorityOptions['resolver'];
  /** 53, except in tests. */
  authorityPort?: number;
  clock: Clock;
  /** Shorter for tests. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** A chain of aliases that is longer leads nowhere, as a rule in a circle. */
const ALIASES_MAX = 8;
const DELEGATIONS_MAX = 4;
/** Of one answer: more is not read. Names with more records of one type are none of ours. */
const VALUES_MAX = 100;

/** One session of look-ups: what it learns of zones and servers, it keeps. Make one for each check of a domain. */
export function createLookUp(options: LookupOptions): LookUp {
  const servers = options.servers ?? [];
  const asks: Asks = {
    rules: options.rules,
    exchange: { clock: options.clock, timeoutMs: options.timeoutMs ?? TIMEOUT_MS, tries: TRIES },
  };
  if (servers.length > 0) return (name, type) => lookUpAt(asks, servers, name, type);
  const authorities = createAuthorities({
    rules: options.rules,
    resolver: options.resolver ?? new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }),
    port: options.authorityPort ?? 53,
  });
  return (name, type) => lookUpAtAuthorities(asks, authorities, name, type);
}

interface Asks {
  rules: AddressRules;
  exchange: ExchangeOptions;
}

async function lookUpAt(
  asks: Asks,
  servers: readonly ServerAddress[],
  name: string,
  type: LookedUpType,
): Promise<Lookup> {
  const answers = await Promise.all(servers.map((server) => askResolver(asks, server, name, type)));
  return agreed(name, type, answers);
}

/** A server that follows aliases itself, or at least knows where they lead. */
async function askResolver(asks: Asks, server: ServerAddress, name: string, type: LookedUpType): Promise<ServerAnswer> {
  let asked = name;
  try {
    for (let aliases = 0; aliases <= ALIASES_MAX; aliases += 1) {
      const reply = await exchange(server, { name: asked, type, recursive: true }, asks.exchange);
      const read = readAnswers(reply, asked, type);
      if (read.kind === 'refused') return failedAnswer(server, reply.rcode);
      if (read.kind === 'values') return answered(server, read);
      asked = read.alias;
    }
    return failedAnswer(server, 'too many aliases');
  } catch (error) {
    return failedAnswer(server, error instanceof DnsError ? error.failure : 'malformed');
  }
}

async function lookUpAtAuthorities(
  asks: Asks,
  authorities: Authorities,
  name: string,
  type: LookedUpType,
): Promise<Lookup> {
  let asked = name;
  const before: ServerAnswer[] = [];
  for (let aliases = 0; aliases <= ALIASES_MAX; aliases += 1) {
    const zone = await authorities.of(asked);
    if (zone.kind === 'none') return { name, type, values: [], reason: null, answers: before };
    if (zone.kind === 'failed') return { name, type, values: null, reason: zone.reason, answers: before };
    const all = await Promise.all(zone.servers.map((hosts) => askAuthority(asks, authorities, hosts, asked, type)));
    const followed = [...new Set(all.map(({ alias }) => alias ?? ''))];
    const answers = [...before, ...all.map(({ answer }) => answer)];
    if (followed.length === 1 && followed[0] !== undefined && followed[0] !== '') {
      asked = followed[0];
      before.push(...all.map(({ answer }) => answer));
      continue;
    }
    const { values, reason } = agreed(
      name,
      type,
      all.map(({ answer }) => answer),
    );
    return { name, type, values, reason, answers };
  }
  return { name, type, values: null, reason: `${name} is an alias that leads to too many others.`, answers: before };
}

interface AuthorityAnswer {
  answer: ServerAnswer;
  /** The name is an alias: where it leads. */
  alias?: string;
}

/** One name server by its addresses: the first that can be reached speaks for it. */
async function askAuthority(
  asks: Asks,
  authorities: Authorities,
  hosts: readonly ServerAddress[],
  name: string,
  type: LookedUpType,
  delegations = 0,
): Promise<AuthorityAnswer> {
  let last: ServerAnswer | undefined;
  for (const server of hosts) {
    try {
      const reply = await exchange(server, { name, type, recursive: false }, asks.exchange);
      const read = readAnswers(reply, name, type);
      if (read.kind === 'refused') return { answer: failedAnswer(server, reply.rcode) };
      if (read.kind === 'alias')
        return { answer: { ...answered(server, read), values: [`alias of ${read.alias}`] }, alias: read.alias };
      if (read.values.length > 0 || reply.isAuthoritative) return { answer: answered(server, read) };
      const below = await authorities.delegatedBy(reply, name);
      if (below.length === 0 || delegations >= DELEGATIONS_MAX)
        return { answer: failedAnswer(server, 'not the authority') };
      // The servers below agree or not by themselves: the first speaks for this one.
      return await askAuthority(asks, authorities, below, name, type, delegations + 1);
    } catch (error) {
      last = failedAnswer(server, error instanceof DnsError ? error.failure : 'malformed');
      if (last.error === 'malformed') break;
    }
  }
  return { answer: last ?? { server: 'none', values: null, ttl: null, error: 'no address that may be asked' } };
}

const failedAnswer = (server: ServerAddress, error: string): ServerAnswer => ({
  server: serverName(server),
  values: null,
  ttl: null,
  error,
});

const answered = (server: ServerAddress, read: { values: string[]; ttl: number | null }): ServerAnswer => ({
  server: serverName(server),
  values: read.values,
  ttl: read.ttl,
  error: null,
});

type Read =
  | { kind: 'refused' }
  | { kind: 'alias'; alias: string; values: string[]; ttl: number | null }
  | { kind: 'values'; values: string[]; ttl: number | null };

/** The values of a name in a reply, its aliases in the same reply followed. */
function readAnswers({ rcode, answers }: Reply, name: string, type: LookedUpType): Read {
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return { kind: 'refused' };
  let at = name;
  for (let aliases = 0; aliases <= ALIASES_MAX; aliases += 1) {
    const here = answers.filter((answer) => sameName(answer.name, at));
    const found = here.filter((answer) => answer.type === type).slice(0, VALUES_MAX);
    const ttl = found.length === 0 ? null : Math.min(...found.map(ttlOf));
    if (found.length > 0) return { kind: 'values', values: found.map(valueOf).sort(), ttl };
    const [alias] = here.flatMap((answer) => (answer.type === 'CNAME' ? [answer.data] : []));
    if (alias === undefined) break;
    at = plainName(alias);
  }
  if (at === name || rcode === 'NXDOMAIN') return { kind: 'values', values: [], ttl: null };
  return { kind: 'alias', alias: at, values: [], ttl: null };
}

const ttlOf = (answer: Answer): number => ('ttl' in answer && typeof answer.ttl === 'number' ? answer.ttl : 0);

/** A text as one string: its parts are joined without a space (RFC 7208 §3.3). An MX is `10 mx.example.com`. */
function valueOf(answer: Answer): string {
  if (answer.type === 'MX') return `${answer.data.preference ?? 0} ${plainName(answer.data.exchange)}`;
  if (answer.type !== 'TXT') return '';
  const parts = Array.isArray(answer.data) ? answer.data : [answer.data];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))).toString('utf8');
}

function agreed(name: string, type: LookedUpType, answers: ServerAnswer[]): Lookup {
  const failed = answers.find((answer) => answer.values === null);
  if (failed !== undefined) {
    return {
      name,
      type,
      values: null,
      reason: `The DNS server ${failed.server} gave no answer for ${name} (${failed.error}).`,
      answers,
    };
  }
  const [first, ...others] = answers;
  const differs = others.find(({ values }) => JSON.stringify(values) !== JSON.stringify(first?.values));
  if (differs !== undefined) {
    const reason = `The DNS servers ${first?.server} and ${differs.server} give different answers for ${name}.`;
    return { name, type, values: null, reason, answers };
  }
  return { name, type, values: first?.values ?? [], reason: null, answers };
}

/**
 * The records of a name from a recursive resolver, in the forms of node:dns: for checks of received mail, where one
 * answer is enough. `lookup.ts` is for records that all servers must agree on.
 */
import { Resolver } from 'node:dns/promises';
import type { Answer, RecordType } from 'dns-packet';
import type { Clock } from '../clock.ts';
import { DnsError, exchange, plainName } from './exchange.ts';
import type { ServerAddress } from './server-address.ts';

/** Rejects with a `code` of node:dns: ENOTFOUND, ENODATA, ETIMEOUT, ESERVFAIL. */
export type ResolveRecords = (name: string, type: string) => Promise<string[] | string[][]>;

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Asks the given servers one after another, or those of the machine when there are none. */
export function createResolveRecords({
  servers,
  clock,
}: {
  servers: readonly ServerAddress[];
  clock: Clock;
}): ResolveRecords {
  if (servers.length === 0) {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    // The types that mail asks for have texts, or lists of texts; an MX is the exception that mailauth reads itself.
    return (name, type) => resolver.resolve(name, type) as Promise<string[] | string[][]>;
  }
  return async (name, type) => {
    let failure: Error = withCode('ESERVFAIL', name);
    for (const server of servers) {
      try {
        return await ask(server, name, type, clock);
      } catch (error) {
        if (!(error instanceof DnsError)) throw error;
        failure = withCode(error.failure === 'timeout' ? 'ETIMEOUT' : 'ESERVFAIL', name);
      }
    }
    throw failure;
  };
}

async function ask(server: ServerAddress, name: string, type: string, clock: Clock): Promise<string[] | string[][]> {
  // A type that is none is refused by the encoder.
  const question = { name, type: type as RecordType, recursive: true };
  const { rcode, answers } = await exchange(server, question, { clock, timeoutMs: TIMEOUT_MS, tries: TRIES });
  if (rcode === 'NXDOMAIN') throw withCode('ENOTFOUND', name);
  if (rcode !== 'NOERROR') throw withCode('ESERVFAIL', name);
  const found = answers.filter((answer) => answer.type === type);
  if (found.length === 0) throw withCode('ENODATA', name);
  // All of them are of one type.
  return found.map(valueOf) as string[] | string[][];
}

function valueOf(answer: Answer): unknown {
  switch (answer.type) {
    case 'TXT': {
      const parts = Array.isArray(answer.data) ? answer.data : [answer.data];
      return parts.map((part) => (typeof part === 'string' ? part : part.toString('utf8')));
    }
    case 'MX':
      return { exchange: plainName(answer.data.exchange), priority: answer.data.preference ?? 0 };
    case 'A':
    case 'AAAA':
      return answer.data;
    case 'CNAME':
    case 'PTR':
    case 'NS':
      return plainName(answer.data);
    default:
      return '';
  }
}

const withCode = (code: string, name: string): Error => Object.assign(new Error(`${code} ${name}`), { code });

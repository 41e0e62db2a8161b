import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { AddressRules } from './address-rules.ts';
import type { Refusal, Target } from './read-url.ts';
import type { Lookup } from './resolve-name.ts';

/** Where a request may connect: addresses that were judged, in the order in which they are tried. */
export interface Judged {
  addresses: readonly string[];
}

/** The name has no address now. */
export interface Unresolved {
  unresolved: true;
}

export interface TargetRules {
  addresses: AddressRules;
  /** Null: the machine is not one of development. */
  ownPorts: readonly number[] | null;
  lookup: Lookup;
  clock: Clock;
}

/** 443 is what everybody has open; 8443 is its usual neighbour. Other ports talk other protocols. */
const PUBLIC_PORTS = [443, 8_443];
const LOOPBACK = ['127.0.0.1', '::1'];
/** Databases, caches and queues that many a developer's machine runs: no receiver listens there. */
const SERVICE_PORTS = [1_433, 1_521, 2_049, 2_375, 3_306, 5_432, 5_672, 6_379, 9_200, 11_211, 27_017];
/** A name is asked for and judged again after this time: one webhook may be called hundreds of times a second. */
const answerKeptMs = 3_000;
const namesKeptMax = 2_000;

export const NOT_PUBLIC: Refusal = {
  reason: 'target address is not public',
  advice:
    'The URL leads to an address that is not public. Use one that can be reached from the internet, or ask the operator ' +
    'to allow its network in POSTHORN_EGRESS_ALLOW.',
};
const NOT_SECURE: Refusal = {
  reason: 'only https is allowed',
  advice: 'Use https: requests with your data are only sent encrypted.',
};
const WRONG_PORT: Refusal = {
  reason: 'only ports 443 and 8443 are allowed',
  advice: 'Use port 443 or 8443.',
};

/** Decides for each request anew where it may go; answers of name servers are kept for three seconds. */
export function createTargetJudge({ addresses: rules, ownPorts, lookup, clock }: TargetRules) {
  const kept = new LRUCache<string, Promise<readonly string[]>>({
    max: namesKeptMax,
    ttl: answerKeptMs,
    ttlResolution: 0,
    perf: { now: () => clock.monotonicMs() },
  });
  const addressesOf = (name: string): Promise<readonly string[]> => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const answer = lookup(name);
    kept.set(name, answer);
    return answer;
  };

  return async function judgeTarget(target: Target): Promise<Judged | Refusal | Unresolved> {
    if (ownPorts !== null && target.isPlainLoopback && ![...ownPorts, ...SERVICE_PORTS].includes(target.port)) {
      return { addresses: isIP(target.host) === 0 ? LOOPBACK : [target.host] };
    }
    if (isIP(target.host) !== 0) return judgeAddresses(target, [target.host]);
    // RFC 6761 §6.3: these names are this machine, whatever a name server says.
    if (/(^|\.)localhost$/.test(target.host)) {
      const open = LOOPBACK.filter((address) => rules.judge(address) === 'allowed');
      return judgeAddresses(target, open.length === 0 ? LOOPBACK : open);
    }
    const addresses = await addressesOf(target.host).catch(() => []);
    if (addresses.length > 0) return judgeAddresses(target, addresses);
    // A host that could only be reached inside may not become a URL by having no address yet.
    return refuseDoor(target) ?? { unresolved: true };
  };

  function judgeAddresses(target: Target, addresses: readonly string[]): Judged | Refusal {
    const judgements = addresses.map((address) => rules.judge(address));
    if (judgements.includes('refused')) return NOT_PUBLIC;
    if (judgements.every((judgement) => judgement === 'allowed')) return { addresses };
    return refuseDoor(target) ?? { addresses };
  }
}

/** The requirements of a URL to a public address. */
export function refuseDoor({ secure, port }: Target): Refusal | undefined {
  if (!secure) return NOT_SECURE;
  return PUBLIC_PORTS.includes(port) ? undefined : WRONG_PORT;
}

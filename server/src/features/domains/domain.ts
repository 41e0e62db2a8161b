import { domainsOfKey } from '#features/workspaces';
import type { Mark } from '#mail/bimi/judge-record.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import type { Actor } from '#platform/http/context.ts';

export const REGIONS = ['us-east-1', 'eu-north-1'] as const;
export type Region = (typeof REGIONS)[number];

export const DKIM_STATUSES = ['pending', 'verified', 'failed', 'temporary_failure'] as const;
export type DkimStatus = (typeof DKIM_STATUSES)[number];

/** How many a workspace may have: all of them are one list. */
export const DOMAINS_MAX = 1_000;

/** The DKIM selector of a new domain. */
export const FIRST_SELECTOR = 'posthorn1';

/** One record as the last check found it. */
export interface RecordState {
  /** Of the wanted record. */
  key: string;
  status: 'found' | 'missing' | 'mismatch' | 'duplicate' | 'temporary_failure';
  /** The values that stand there, one entry for each record; empty: nothing. */
  found: readonly string[];
  /** A sentence on what is wrong and how it is mended, or what to think of. */
  hint: string | null;
  /** The value to publish in place of the usual one: an existing record with ours in it. */
  publish: string | null;
}

/** A DKIM key beside the one that signs. */
export interface FurtherKey {
  role: 'next' | 'former';
  selector: string;
  publicKey: string;
  /** Of a former key: when its record may be deleted. Of a next one: until when it is looked for often. */
  until: string | null;
}

/** A domain of a workspace as it is managed. Sending reads only a part of it (`sender-domain.ts`). */
export interface Domain {
  workspaceId: string;
  id: string;
  domain: string;
  providerRegion: Region;
  dkimStatus: DkimStatus;
  sendingEnabled: boolean;
  receivingEnabled: boolean;
  webhookUrl: string | null;
  bimiEnabled: boolean;
  /** The logo that its BIMI record names. */
  mark: (Mark & { lastCheck: LastMarkCheck | null }) | null;
  dkimSelector: string;
  dkimPublicKey: string | null;
  maxDailyEmails: number | null;
  maxMonthlyEmails: number | null;
  verifiedAt: Date | null;
  createdAt: Date;
  /** Links to its records that were made until then are dead. */
  sharesRevokedAt: Date | null;
  lastCheckedAt: Date | null;
  /** null: nobody looks at it without being asked. */
  nextCheckAt: Date | null;
  failureReason: string | null;
  /** Of its zone, at the last check; null: not known. */
  nameServers: readonly string[] | null;
  recordStates: readonly RecordState[];
  furtherKeys: readonly FurtherKey[];
  /** null: the delivery service takes mail of every domain, or another workspace has the identity. */
  identity: StoredLook | null;
}

/** The last check of the logo, as it was answered, and the state of its record. */
export interface LastMarkCheck {
  checked_at: string;
  dmarc_ok: boolean;
  bimi_ok: boolean;
  message: string;
  faults: readonly object[];
  certificate: object | null;
  /** As a data: URL; left out of checks before November 2026, and so is `record`. */
  logo?: string | null;
  record?: Omit<RecordState, 'key'>;
}

/** How the delivery service saw a domain at the last look. */
export interface StoredLook {
  /** null: it was not looked at yet. */
  seenAt: string | null;
  isFound: boolean | null;
  dkimStatus: string | null;
  takesMail: boolean | null;
  /** Why it could not be told of the domain. */
  failure: string | null;
}

/** Throws 403 for a domain outside of what the caller's key is limited to. */
export function requireKeyOfDomain(actor: Actor, id: string): void {
  const own = domainsOfKey(actor);
  if (own.length > 0 && !own.includes(id)) throw forbidden('This API key may not use this domain.');
}

/** Throws 403 for a key that is limited to some domains: what it makes would lie outside of them. */
export function requireKeyOfAllDomains(actor: Actor): void {
  if (domainsOfKey(actor).length > 0) {
    throw forbidden('This API key is limited to some domains and cannot add another.');
  }
}

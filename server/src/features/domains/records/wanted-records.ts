import { bimiName, bimiRecord, type Mark } from '#mail/bimi/judge-record.ts';
import type { Domain, FurtherKey } from '../domain.ts';
import { registrableDomain } from '../registrable-domain.ts';
import { FEEDBACK_PRIORITY, type ProviderHosts } from './provider-hosts.ts';

export type Purpose = 'dkim' | 'spf' | 'mx' | 'inbound' | 'dmarc' | 'bimi';

/** A record that the owner of a domain publishes. */
export interface WantedRecord {
  /** Of its state at the last check. */
  key: string;
  purpose: Purpose;
  type: 'TXT' | 'MX';
  /** Absolute, without the dot at the end. */
  name: string;
  /** As one string; an MX with its priority in front. */
  value: string;
  priority: number | null;
  ttl: number;
  /** The domain is not verified without it. */
  required: boolean;
  /** Of a DKIM record: whether its key signs now, next, or did before. */
  role?: 'current' | FurtherKey['role'];
  /** Of the record of a former key: when it may be deleted. */
  until?: string | null;
  selector?: string;
  publicKey?: string;
  /** Of a BIMI record. */
  mark?: Mark;
}

const TTL_SECONDS = 3_600;

const dkimName = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

interface WantedKey {
  role: 'current' | FurtherKey['role'];
  selector: string;
  publicKey: string;
  until?: string | null;
}

const dkimRecord = (domain: string, { role, selector, publicKey, until = null }: WantedKey): WantedRecord => ({
  key: `dkim ${selector}`,
  purpose: 'dkim',
  type: 'TXT',
  name: dkimName(selector, domain),
  value: `v=DKIM1; k=rsa; p=${publicKey}`,
  priority: null,
  ttl: TTL_SECONDS,
  required: role === 'current',
  role,
  until: role === 'former' ? until : null,
  selector,
  publicKey,
});

const mxRecord = (purpose: 'mx' | 'inbound', name: string, host: string): WantedRecord => ({
  key: purpose,
  purpose,
  type: 'MX',
  name,
  value: `${FEEDBACK_PRIORITY} ${host}`,
  priority: FEEDBACK_PRIORITY,
  ttl: TTL_SECONDS,
  required: false,
});

const feedbackRecord = (domain: string, hosts: ProviderHosts): WantedRecord => mxRecord('mx', domain, hosts.feedback);

/** The record that brings the mail of a domain to Posthorn. */
export const receivingRecord = ({ domain }: Pick<Domain, 'domain'>, hosts: ProviderHosts): WantedRecord =>
  mxRecord('inbound', domain, hosts.inbound);

const markRecord = (domain: string, mark: Mark): WantedRecord => ({
  // Another logo is another record, which nobody has looked for yet.
  key: `bimi ${bimiRecord(mark)}`,
  purpose: 'bimi',
  type: 'TXT',
  name: bimiName(domain),
  value: bimiRecord(mark),
  priority: null,
  ttl: TTL_SECONDS,
  required: false,
  mark,
});

/**
 * The records of a domain, in the order in which they are published. A next DKIM key is wanted too; a former one only
 * until its day.
 */
export function wantedRecords(
  { domain, dkimSelector, dkimPublicKey, furtherKeys, mark, receivingEnabled }: Domain,
  hosts: ProviderHosts,
): WantedRecord[] {
  return [
    ...(dkimPublicKey === null
      ? []
      : [dkimRecord(domain, { role: 'current', selector: dkimSelector, publicKey: dkimPublicKey })]),
    ...furtherKeys.map((key) => dkimRecord(domain, key)),
    {
      key: 'spf',
      purpose: 'spf',
      type: 'TXT',
      name: domain,
      value: `v=spf1 include:${hosts.spf} ~all`,
      priority: null,
      ttl: TTL_SECONDS,
      required: true,
    },
    // A name has one MX record of ours: what it receives comes here, bounces too.
    receivingEnabled ? receivingRecord({ domain }, hosts) : feedbackRecord(domain, hosts),
    {
      key: 'dmarc',
      purpose: 'dmarc',
      type: 'TXT',
      name: `_dmarc.${domain}`,
      value: 'v=DMARC1; p=none;',
      priority: null,
      ttl: TTL_SECONDS,
      required: false,
    },
    ...(mark === null ? [] : [markRecord(domain, mark)]),
  ];
}

/** The domain that its owner has registered, of which this is a part, or itself (RFC 7489 §3.2). */
export const organizationalDomain = (domain: string): string => registrableDomain(domain) ?? domain;

/** How a name is typed at a host of DNS zones that adds the zone by itself; `@` is the zone. */
export function relativeName(name: string, domain: string): string {
  const zone = organizationalDomain(domain);
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** A DNS server holds at most 255 bytes in one string of a TXT record; their order is the value. */
const STRING_BYTES_MAX = 255;

/** The strings of a value that is ASCII, as all of ours are. */
export const textStrings = (value: string): string[] =>
  value.match(new RegExp(`.{1,${STRING_BYTES_MAX}}`, 'gs')) ?? [''];

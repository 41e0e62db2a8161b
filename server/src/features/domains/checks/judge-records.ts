/** The state of each record, from look-ups that are done: no waiting, no clock. */
import type { Lookup } from '#platform/dns/lookup.ts';
import type { RecordState } from '../domain.ts';
import type { ProviderHosts } from '../records/provider-hosts.ts';
import type { WantedRecord } from '../records/wanted-records.ts';
import { bimiPrefix, judgeRecord as judgeMarkRecord, type Mark } from '#mail/bimi/judge-record.ts';
import { includesHost, isSpf, lookupsOf, mergeSpf, SPF_LOOKUPS_MAX } from './merge-spf.ts';
import { ownEntry } from '#platform/own-entry.ts';

/** The answers that a judgement may need; undefined where nobody has asked. */
export interface Seen {
  record: Lookup;
  /** The same under `name.domain.domain`: where a record is when its host has added the domain a second time. */
  doubled?: Lookup | undefined;
  /** Of DMARC: that of the registered domain, which covers those below it. */
  inherited?: Lookup | undefined;
}

export type Judged = Omit<RecordState, 'key'>;

export function judgeRecord(wanted: WantedRecord, seen: Seen, hosts: ProviderHosts): RecordState {
  const { values, reason } = seen.record;
  if (values === null) {
    return { key: wanted.key, status: 'temporary_failure', found: [], hint: reason, publish: null };
  }
  return { key: wanted.key, ...judges[wanted.purpose](wanted, values, { seen, hosts }) };
}

interface Around {
  seen: Seen;
  hosts: ProviderHosts;
}

const state = (status: RecordState['status'], found: readonly string[], hint: string | null = null): Judged => ({
  status,
  found,
  hint,
  publish: null,
});

const judges: Record<WantedRecord['purpose'], (wanted: WantedRecord, values: string[], around: Around) => Judged> = {
  dkim: judgeDkim,
  spf: judgeSpf,
  mx: judgeMx,
  inbound: judgeInbound,
  dmarc: judgeDmarc,
  bimi: judgeBimi,
};

/** Missing, unless it stands under the name with the domain twice. */
function missing(wanted: WantedRecord, { seen }: Around, isIt: (value: string) => boolean): Judged {
  const misplaced = (seen.doubled?.values ?? []).filter(isIt);
  if (misplaced.length === 0) return state('missing', [], `There is no ${wanted.type} record at ${wanted.name}.`);
  return state(
    'missing',
    [],
    `The record stands at ${seen.doubled?.name}: your DNS host added the domain a second time. Give it the name without the domain.`,
  );
}

// --- DKIM

/** `tag=value` pairs (RFC 6376 §3.2); undefined when the text has none of a key. */
function tagsOf(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const pair of text.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0) tags.set(pair.slice(0, at).trim().toLowerCase(), pair.slice(at + 1).trim());
  }
  return tags.has('p') ? tags : undefined;
}

const isKeyRecord = (text: string): boolean => tagsOf(text) !== undefined;

function judgeDkim(wanted: WantedRecord, values: string[], around: Around): Judged {
  const [value] = values;
  if (value === undefined) return missing(wanted, around, isKeyRecord);
  if (values.length > 1) {
    return state(
      'duplicate',
      values,
      `There are ${values.length} TXT records at ${wanted.name}. Keep the one with our key alone.`,
    );
  }
  const problem = keyProblem(value, wanted.publicKey ?? '');
  return problem === null ? state('found', values, testingHint(value)) : state('mismatch', values, problem);
}

function testingHint(value: string): string | null {
  const isTest = (tagsOf(value)?.get('t') ?? '').split(':').some((flag) => flag.trim() === 'y');
  return isTest ? 'The record has t=y (a test): receivers may pass over failures. Remove t=y.' : null;
}

/** Why this record does not have this key, as a sentence; null when it has. */
function keyProblem(value: string, publicKey: string): string | null {
  const tags = tagsOf(value);
  if (/^\s*"|"\s*$/.test(value)) return 'The value has quotation marks in it. Publish it without them.';
  if (tags === undefined) return 'The record is no DKIM key: it has no p=.';
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1') return 'The record begins with another version than v=DKIM1.';
  if ((tags.get('k') ?? 'rsa').toLowerCase() !== 'rsa') return 'The record has another kind of key than k=rsa.';
  const hashes = tags.get('h');
  if (hashes !== undefined && !hashes.split(':').some((hash) => hash.trim() === 'sha256')) {
    return 'The record does not allow the hash sha256 (h=).';
  }
  const found = (tags.get('p') ?? '').replace(/\s+/g, '');
  if (found === publicKey) return null;
  if (found === '') return 'The record says that the key was revoked: p= is empty.';
  const lengths = `it has ${found.length} characters in place of ${publicKey.length}`;
  if (publicKey.startsWith(found))
    return `The key looks truncated: ${lengths}. Some DNS hosts need it in strings of 255 characters.`;
  if (publicKey.endsWith(found)) return `The beginning of the key is missing: ${lengths}.`;
  return found.length === publicKey.length ? 'The record has another key.' : `The record has another key: ${lengths}.`;
}

// --- SPF

function judgeSpf(wanted: WantedRecord, values: string[], around: Around): Judged {
  const found = values.filter(isSpf);
  const [record] = found;
  const { spf: host } = around.hosts;
  if (record === undefined) return missing(wanted, around, isSpf);
  const publish = mergeSpf(found, host);
  if (found.length > 1) {
    const hint = `There are ${found.length} SPF records at ${wanted.name}; receivers take that for an error. Replace them with the one shown.`;
    return { status: 'duplicate', found, hint, publish };
  }
  const lookups = lookupsOf(publish);
  const many = `The record needs more than ${SPF_LOOKUPS_MAX} look-ups (${lookups}), and receivers stop there. Remove senders that you do not use.`;
  const warning = lookups > SPF_LOOKUPS_MAX ? many : null;
  if (includesHost(record, host)) return { status: 'found', found, hint: warning, publish: null };
  const hint = `The SPF record does not have include:${host}. Replace it with the one shown, which keeps your other senders.`;
  return { status: 'mismatch', found, hint: warning === null ? hint : `${hint} ${warning}`, publish };
}

// --- MX

function judgeMx(wanted: WantedRecord, values: string[], { hosts }: Around): Judged {
  const exchanges = values.map((value) => value.split(' ')[1] ?? '');
  const others = exchanges.filter((exchange) => exchange !== hosts.feedback);
  if (exchanges.includes(hosts.feedback)) {
    const hint = `${others.join(', ')} takes mail of this domain too: some mail may go to ${hosts.feedback} in its place.`;
    return state('found', values, others.length === 0 ? null : hint);
  }
  if (others.length === 0) {
    const nowhere = `There is no MX record at ${wanted.name}: answers to mail from the domain reach nobody.`;
    return state('missing', [], `${nowhere} Sending does not need one.`);
  }
  return state(
    'mismatch',
    values,
    `This domain receives mail at ${others.map((name) => (name === '' || name === '.' ? 'no server (null MX)' : name)).join(', ')}. ` +
      'Do not replace that: mail to your people would be lost. Sending does not need our MX.',
  );
}

function judgeInbound(wanted: WantedRecord, values: string[], { hosts }: Around): Judged {
  const records = values.map((value) => ({ priority: Number(value.split(' ')[0]), host: value.split(' ')[1] ?? '' }));
  const ours = records.find(({ host }) => host === hosts.inbound);
  const others = records.filter(({ host }) => host !== hosts.inbound);
  const named = others.map(({ host }) => (host === '' || host === '.' ? 'no server (null MX)' : host)).join(', ');
  if (ours === undefined && others.length === 0) {
    return state('missing', [], `There is no MX record at ${wanted.name}: mail to it does not arrive here.`);
  }
  if (ours === undefined) {
    return state(
      'mismatch',
      values,
      `This domain receives mail at ${named}. Replacing that moves the mail of all its people here. To receive ` +
        `replies only, add a domain of its own, such as reply.${wanted.name}.`,
    );
  }
  if (others.length === 0) return state('found', values);
  const isFirst = others.every(({ priority }) => priority > ours.priority);
  return state(
    'found',
    values,
    isFirst
      ? `${named} takes mail of this domain while ${hosts.inbound} does not answer.`
      : `${named} takes mail of this domain too, before or beside ${hosts.inbound}. Remove it, or that mail does not arrive here.`,
  );
}

// --- DMARC

const isDmarc = (text: string): boolean => /^v=DMARC1\s*(?:;|$)/.test(text);

function judgeDmarc(wanted: WantedRecord, values: string[], around: Around): Judged {
  const found = values.filter(isDmarc);
  if (found.length > 1)
    return state('duplicate', found, 'There are several DMARC records; receivers then use none. Keep one.');
  const [record] = found;
  if (record !== undefined) {
    const problem = policyProblem(record);
    return problem === null ? state('found', found, policyHint(record)) : state('mismatch', found, problem);
  }
  const { inherited } = around.seen;
  const above = (inherited?.values ?? []).filter(isDmarc);
  if (above.length === 1) return state('found', above, `The record of ${inherited?.name} covers this domain.`);
  const { status, hint } = missing(wanted, around, isDmarc);
  return state(
    status,
    [],
    `${hint ?? ''} Gmail and Yahoo ask bulk senders for one; begin with the value shown, which changes no delivery.`,
  );
}

const policyOf = (record: string): string | undefined => /;\s*p\s*=\s*([^;\s]*)/i.exec(record)?.[1]?.toLowerCase();

/** Why receivers enforce nothing by this record (RFC 7489 §6.6.3), as a sentence; null when they know its policy. */
function policyProblem(record: string): string | null {
  const policy = policyOf(record);
  if (policy === undefined) return 'The record has no policy (p=), and receivers pass over it.';
  if (['none', 'quarantine', 'reject'].includes(policy)) return null;
  return `No receiver knows the policy p=${policy}. Publish p=none, p=quarantine or p=reject.`;
}

const policyHint = (record: string): string | null =>
  policyOf(record) === 'none'
    ? 'The policy is none: receivers report forged mail and deliver it. Consider quarantine.'
    : null;

// --- BIMI

const BIMI_STATES: Readonly<Record<string, RecordState['status']>> = {
  record_missing: 'missing',
  record_duplicate: 'duplicate',
};

function judgeBimi(wanted: WantedRecord, values: string[]): Judged {
  if (wanted.mark === undefined) return state('found', values);
  return judgeMark(wanted.name.slice(bimiPrefix.length), values, wanted.mark);
}

/** The record of a logo, from what stands at its name. */
export function judgeMark(domain: string, values: readonly string[], mark: Mark): Judged {
  const [fault] = judgeMarkRecord(domain, values, mark);
  return fault === undefined
    ? state('found', values)
    : state(ownEntry(BIMI_STATES, fault.code) ?? 'mismatch', values, `${fault.message} ${fault.remedy}`);
}

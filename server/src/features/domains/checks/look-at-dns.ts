import type { Lookup, LookUp } from '#platform/dns/lookup.ts';
import type { Domain, RecordState } from '../domain.ts';
import type { ProviderHosts } from '../records/provider-hosts.ts';
import { organizationalDomain, type WantedRecord, wantedRecords } from '../records/wanted-records.ts';
import { judgeRecord, type Seen } from './judge-records.ts';

export interface DnsLook {
  wanted: WantedRecord[];
  states: RecordState[];
  /** Every look-up that was made: the evidence. */
  lookups: Lookup[];
}

/** Looks up every record of a domain, and judges it. Changes nothing, and runs in no transaction. */
export async function lookAtDns(domain: Domain, hosts: ProviderHosts, lookUp: LookUp): Promise<DnsLook> {
  const wanted = wantedRecords(domain, hosts);
  const lookups: Lookup[] = [];
  const asked = new Map<string, Promise<Lookup>>();
  const ask = (name: string, type: WantedRecord['type']): Promise<Lookup> => {
    const key = `${type} ${name}`;
    const lookup = asked.get(key) ?? lookUp(name, type).then((found) => (lookups.push(found), found));
    asked.set(key, lookup);
    return lookup;
  };
  const states = await Promise.all(
    wanted.map(async (record) => judgeRecord(record, await seenOf(record, domain.domain, ask), hosts)),
  );
  return { wanted, states, lookups };
}

/** A record that is not there is looked for where people put it by mistake. */
async function seenOf(
  { purpose, type, name }: WantedRecord,
  domain: string,
  ask: (name: string, type: WantedRecord['type']) => Promise<Lookup>,
): Promise<Seen> {
  const record = await ask(name, type);
  if (type !== 'TXT' || record.values === null || (record.values.length > 0 && purpose !== 'spf')) return { record };
  const above = organizationalDomain(domain);
  const [doubled, inherited] = await Promise.all([
    // Without an answer it is only not found there.
    ask(`${name}.${domain}`, type),
    purpose === 'dmarc' && above !== domain ? ask(`_dmarc.${above}`, type) : undefined,
  ]);
  return { record, doubled, inherited };
}

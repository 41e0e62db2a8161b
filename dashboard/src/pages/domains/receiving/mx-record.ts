import type { DnsRecord, Domain } from '../../../api/generated/types.gen.ts';

/** The record that brings mail to a domain here. Undefined: the domain receives none. */
export const mxRecordOf = ({ dns_records: records }: Pick<Domain, 'dns_records'>): DnsRecord | undefined =>
  records.find(({ purpose }) => purpose === 'inbound');

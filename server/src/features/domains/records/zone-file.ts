import type { DnsRecordView } from './domain-view.ts';
import { textStrings } from './wanted-records.ts';

/** Text in a zone file (RFC 1035 §5.1): the quotation mark and the backslash are escaped. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

const dataOf = ({ type, value }: DnsRecordView): string =>
  type === 'MX' ? `${value}.` : textStrings(value).map(quoted).join(' ');

/** Names are ASCII, without line breaks: nothing ends the comment. */
const comment = (text: string): string => `; ${text}`;

/** A record that would do harm when somebody imports it without a look: why. */
function reasonToLookFirst({ purpose, status, name }: DnsRecordView): string | null {
  if (purpose === 'mx')
    return 'Optional, and only for a domain that receives no mail elsewhere. Remove the ";" to use it:';
  if (purpose === 'dmarc' && status !== 'missing' && status !== 'pending')
    return `There is a record at ${name} already:`;
  return null;
}

/** The records of a domain as a zone file (RFC 1035 §5), which hosts of DNS zones import. All names are absolute. */
export function zoneFile(domain: string, records: readonly DnsRecordView[]): string {
  const lines = records.flatMap((record) => {
    const line = `${record.name}. ${record.ttl} IN ${record.type} ${dataOf(record)}`;
    const reason = reasonToLookFirst(record);
    if (reason !== null) return [comment(reason), `; ${line}`];
    const replaces = record.purpose === 'spf' && record.found_value !== null && record.status !== 'found';
    return [...(replaces ? [comment(`In place of the SPF record at ${record.name}:`)] : []), line];
  });
  return `${[comment(`DNS records of ${domain}`), ...lines].join('\n')}\n`;
}

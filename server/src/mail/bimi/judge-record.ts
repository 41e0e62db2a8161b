import { type BimiFault, faultsOf } from './fault.ts';
import { readTags } from './read-tags.ts';

/** The addresses that the record of a domain should name. */
export interface Mark {
  svgUrl: string;
  certificateUrl: string;
}

const VERSION = /^v[ \t]*=[ \t]*BIMI1[ \t]*(?:;|$)/i;

export const bimiPrefix = 'default._bimi.';

export const bimiName = (domain: string): string => `${bimiPrefix}${domain}`;

/** The value to publish at `bimiName`. */
export const bimiRecord = ({ svgUrl, certificateUrl }: Mark): string => `v=BIMI1; l=${svgUrl}; a=${certificateUrl}`;

/**
 * All reasons for which the TXT records found at `bimiName` do not name this logo and this certificate
 * (draft-brand-indicators-for-message-identification §4.3 and §7.2). Each text is one record, its strings put together.
 */
export function judgeRecord(domain: string, texts: readonly string[], mark: Mark): BimiFault[] {
  const faults: BimiFault[] = [];
  const note = faultsOf('record', faults);
  const name = bimiName(domain);
  const publish = `Publish one TXT record at ${name}: ${bimiRecord(mark)}`;
  const records = texts.map((text) => text.trim()).filter((text) => VERSION.test(text));
  const [record] = records;
  if (record === undefined) {
    note('record_missing', name, 'There is no BIMI record.', publish);
    return faults;
  }
  if (records.length > 1) {
    note('record_duplicate', name, `There are ${records.length} BIMI records; none of them counts.`, publish);
    return faults;
  }
  const tags = readTags(record);
  const logo = tags.get('l') ?? '';
  const certificate = tags.get('a') ?? '';
  if (logo === '' && certificate === '') {
    note('record_declines', name, 'The record says that the domain shows no logo (l= is empty).', publish);
    return faults;
  }
  if (logo !== mark.svgUrl) {
    note('record_logo', name, `The record names the logo ${shown(logo)} and not ${mark.svgUrl}.`, publish);
  }
  if (certificate !== mark.certificateUrl) {
    note(
      'record_certificate',
      name,
      `The record names the certificate ${shown(certificate)} and not ${mark.certificateUrl}.`,
      publish,
    );
  }
  return faults;
}

const shown = (value: string): string => (value === '' ? '(none)' : value.slice(0, 200));

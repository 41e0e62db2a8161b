/** SPF records (RFC 7208): whether a text is one, what it includes, and the one record that replaces what is there. */

export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

const termsOf = (record: string): string[] => record.trim().split(/\s+/).slice(1);

/** Also with `+` in front, which is the meaning without a sign (RFC 7208 §4.6.2). */
export const includesHost = (record: string, host: string): boolean =>
  termsOf(record).some((term) => term.toLowerCase().replace(/^\+/, '').replace(/\.$/, '') === `include:${host}`);

const ALL = /^[+\-~?]?all$/i;
const REDIRECT = /^redirect=/i;
/** Stand at the end, and name no sender. */
const MODIFIER = /^[a-z][a-z0-9._-]*=/i;

/** From the strictest to the loosest. */
const STRICTNESS = ['-all', '~all', '?all', '+all'];
const strictestOf = (found: readonly string[]): string | undefined => {
  const plain = found.map((term) => (term.length === 3 ? `+${term}` : term).toLowerCase());
  return STRICTNESS.find((term) => plain.includes(term));
};

/**
 * One record with the terms of all of these and with our host. Two records are an error for every receiver (RFC 7208
 * §4.5), so a second one never helps. Our host comes last before `all`: after it nothing is read.
 */
export function mergeSpf(records: readonly string[], host: string): string {
  const terms = records.flatMap(termsOf);
  const mechanisms = terms.filter((term) => !ALL.test(term) && !MODIFIER.test(term));
  const redirects = terms.filter((term) => REDIRECT.test(term));
  const others = terms.filter((term) => MODIFIER.test(term) && !REDIRECT.test(term));
  const all = strictestOf(terms.filter((term) => ALL.test(term)));
  const ours = records.some((record) => includesHost(record, host)) ? [] : [`include:${host}`];
  // A redirect is not read where there is an `all`; several of them are an error.
  const end = all === undefined && redirects[0] !== undefined ? [redirects[0]] : [all ?? '~all'];
  const unique = [...new Map([...mechanisms, ...ours].map((term) => [term.toLowerCase(), term])).values()];
  return ['v=spf1', ...unique, ...end, ...new Set(others)].join(' ');
}

/** Terms that cost a receiver a look-up; it does ten at most, those of included records counted (RFC 7208 §4.6.4). */
export const lookupsOf = (record: string): number =>
  termsOf(record).filter((term) =>
    /^[+\-~?]?(?:include:|exists:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr(?::|$))|^redirect=/i.test(term),
  ).length;

export const SPF_LOOKUPS_MAX = 10;

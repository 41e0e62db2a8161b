/**
 * The tags of a record in the tag-list syntax of DKIM (RFC 6376 §3.2), which BIMI and DMARC use too: `v=BIMI1; l=...`.
 * Names in lower case, values without the white space around them, the first of two with the same name.
 */
export function readTags(record: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const piece of record.split(';')) {
    const equals = piece.indexOf('=');
    if (equals < 1) continue;
    const name = piece.slice(0, equals).trim().toLowerCase();
    if (!tags.has(name)) tags.set(name, piece.slice(equals + 1).trim());
  }
  return tags;
}

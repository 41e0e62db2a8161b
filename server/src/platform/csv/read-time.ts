/** ISO 8601, `2026-11-20 10:00:00` (UTC) or seconds since 1970; undefined when it is none of these. */
export function readTime(text: string): Date | undefined {
  const plain = text.trim();
  if (/^\d{9,10}$/.test(plain)) return new Date(Number(plain) * 1_000);
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i.exec(plain);
  if (parts === null) {
    const spelled = /^[a-z]{3}, /i.test(plain) ? new Date(plain) : undefined; // RFC 5322, as Mailgun writes it
    return spelled === undefined || Number.isNaN(spelled.getTime()) ? undefined : spelled;
  }
  const zone = parts[3] === undefined || /utc/i.test(parts[3]) ? 'Z' : parts[3].toUpperCase();
  const time = new Date(`${parts[1]}T${parts[2] ?? '00:00'}${zone}`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

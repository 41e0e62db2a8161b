/** The spans of time that the list of sessions offers: sessions are kept for seven days. */
export const SPANS = [
  { value: '1h', label: 'Last hour', ms: 3_600_000 },
  { value: '24h', label: 'Last 24 hours', ms: 86_400_000 },
  { value: '3d', label: 'Last 3 days', ms: 3 * 86_400_000 },
] as const;

const MINUTE_MS = 60_000;

/**
 * The beginning of a span, at a whole minute, so that the same page asks the same question for a while. Anything else
 * is an instant that a link named, or a text that the server refuses in words.
 */
export function sinceOf(span: string | undefined, now: number): string | undefined {
  const known = SPANS.find(({ value }) => value === span);
  if (known === undefined) return span;
  return new Date(Math.floor((now - known.ms) / MINUTE_MS) * MINUTE_MS).toISOString();
}

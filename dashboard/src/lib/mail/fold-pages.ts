interface Entry {
  at: string;
  action: string;
  details?: Readonly<Record<string, unknown>> | undefined;
}

const COUNTED = ['sent', 'failed', 'skipped_unsubscribed'] as const;

/**
 * A log in which the pages of recipients that follow one another are one entry with their sums: 20,000 recipients are
 * 40 pages, and hide what people did.
 */
export function foldPages<E extends Entry>(log: readonly E[]): E[] {
  const folded: E[] = [];
  for (const entry of log) {
    const last = folded.at(-1);
    if (entry.action !== 'page_sent' || last?.action !== 'page_sent') folded.push(entry);
    else
      folded[folded.length - 1] = { ...last, details: { pages: pagesOf(last) + pagesOf(entry), ...sums(last, entry) } };
  }
  return folded;
}

const pagesOf = ({ details }: Entry): number => numberOf(details?.['pages']) || 1;

const sums = (one: Entry, other: Entry) =>
  Object.fromEntries(
    COUNTED.map((key) => [key, numberOf(one.details?.[key]) + numberOf(other.details?.[key])] as const),
  );

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export interface SpfTerm {
  text: string;
  isNew: boolean;
}

const termsOf = (record: string): string[] => record.trim().split(/\s+/);

/** The terms of the SPF record to publish, each with whether the records that stand there have it already. */
export function spfChange(found: string, wanted: string): SpfTerm[] {
  const there = new Set(
    found
      .split('\n')
      .flatMap(termsOf)
      .map((term) => term.toLowerCase()),
  );
  return termsOf(wanted).map((text) => ({ text, isNew: !there.has(text.toLowerCase()) }));
}

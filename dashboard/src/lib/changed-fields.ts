export interface Change {
  before: unknown;
  after: unknown;
}

/** The changes in the details of an entry of a log; undefined when it has none. */
export function changesOf(details: Readonly<Record<string, unknown>>): Record<string, Change> | undefined {
  const { changes } = details;
  if (typeof changes !== 'object' || changes === null) return undefined;
  const read = Object.entries(changes).filter((pair): pair is [string, Change] => isChange(pair[1]));
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

const isChange = (value: unknown): value is Change => typeof value === 'object' && value !== null && 'after' in value;

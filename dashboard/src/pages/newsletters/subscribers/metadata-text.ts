type Metadata = Readonly<Record<string, unknown>>;

/** The typed text as metadata; undefined unless it is a JSON object. */
export function readMetadata(text: string): Metadata | undefined {
  if (text.trim() === '') return {};
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

/** The change for the API: changed keys with their values, removed ones with null. It merges key by key. */
export function metadataChange(before: Metadata, after: Metadata): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) change[key] = null;
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(before[key]) !== JSON.stringify(value)) change[key] = value;
  }
  return change;
}

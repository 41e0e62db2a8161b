/** A limit that stands in the way of an email; undefined: the refusal is about something else. */
type SendLimit = 'domain' | 'workspace';

/**
 * Reads the sentence of a refusal: the API has no name for the limit, and its words are for programs. `limit of …
 * reached for` is that of a domain, `quota of this workspace` that of the workspace.
 */
export function limitOfRefusal(sentence: unknown): SendLimit | undefined {
  if (typeof sentence !== 'string') return undefined;
  if (/\blimit of [\d,]+ reached for \S/.test(sentence)) return 'domain';
  return /\bquota of this workspace\b/.test(sentence) ? 'workspace' : undefined;
}

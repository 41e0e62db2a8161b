import { domainToASCII } from 'node:url';

const ADDRESS = /[^\s"'<>(),;:\\[\]@/?&=]{1,64}@[^\s"'<>(),;:\\[\]@/?&=]{1,255}/g;
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The addresses and ids in these texts, each once, in the form in which they are looked for. */
export function mentionsIn(texts: readonly (string | null)[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const lower = (text ?? '').toLowerCase();
    for (const [id] of lower.matchAll(ID)) found.add(id);
    for (const [address] of lower.matchAll(ADDRESS)) found.add(mentionOf(address));
  }
  return [...found];
}

/** An address or id as it is stored: an international domain in its ASCII form. */
export function mentionOf(text: string): string {
  const lower = text.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at === -1) return lower;
  const domain = lower.slice(at + 1).replace(/\.+$/, '');
  return `${lower.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

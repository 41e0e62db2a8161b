/**
 * Whether an address is of a provider of throw-away mailboxes, or of a domain that the operator has named; what is
 * below such a domain is too. The list (some 9,000 domains) is loaded with the first sign-up.
 */
export async function isBlockedDomain(domain: string, named: readonly string[]): Promise<boolean> {
  const { disposableEmailBlocklistSet } = await import('disposable-email-domains-js');
  const disposable = disposableEmailBlocklistSet();
  const labels = domain.split('.');
  return labels.some((_label, index) => {
    const parent = labels.slice(index).join('.');
    return disposable.has(parent) || named.includes(parent);
  });
}

/**
 * The mailbox behind an address, as far as it can be told: what follows a plus is a label, and Gmail passes over dots.
 * Otherwise one victim has as many addresses as an attacker has ideas. Only counted by: it is no identity.
 */
export function mailboxBehind(email: string): string {
  const at = email.lastIndexOf('@');
  const [domain, unlabelled] = [email.slice(at + 1), email.slice(0, at).replace(/(?<=.)\+.*$/s, '')];
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${unlabelled.replaceAll('.', '')}@gmail.com` : `${unlabelled}@${domain}`;
}

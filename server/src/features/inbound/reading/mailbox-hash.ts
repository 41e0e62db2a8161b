const CHARS_MAX = 64;

/** The part behind the first `+` of the first recipient that has one: `support+42@…` has 42. */
export function mailboxHashOf(recipients: readonly string[]): string | null {
  for (const address of recipients) {
    const local = address.slice(0, Math.max(0, address.lastIndexOf('@')));
    const plus = local.indexOf('+');
    if (plus > 0 && plus < local.length - 1) return local.slice(plus + 1, plus + 1 + CHARS_MAX);
  }
  return null;
}

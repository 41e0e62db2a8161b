/** The rates at which providers look at a sender; at the double they pause the account (docs/analytics.md, Health). */
export const BOUNCE_LIMIT = 0.05;
export const COMPLAINT_LIMIT = 0.001;
/** Fewer emails say nothing about a rate. */
export const ENOUGH = 100;

export function isOver(part: number, whole: number, limit: number): 'warn' | 'bad' | undefined {
  if (whole < ENOUGH || part / whole <= limit) return undefined;
  return part / whole > 2 * limit ? 'bad' : 'warn';
}

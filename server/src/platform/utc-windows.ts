/**
 * The fixed windows in UTC over which limits and caps count, shortest first: the order in which a full one is
 * reported.
 */
export const TIERS = ['hourly', 'daily', 'monthly'] as const;
export type Tier = (typeof TIERS)[number];

export interface Window {
  start: Date;
  /** The instant at which the next window begins and the count is 0 again. */
  resetAt: Date;
}

export function windowOf(tier: Tier, now: Date): Window {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const day = now.getUTCDate();
  const hour = now.getUTCHours();
  switch (tier) {
    case 'hourly':
      return {
        start: new Date(Date.UTC(year, month, day, hour)),
        resetAt: new Date(Date.UTC(year, month, day, hour + 1)),
      };
    case 'daily':
      return { start: new Date(Date.UTC(year, month, day)), resetAt: new Date(Date.UTC(year, month, day + 1)) };
    case 'monthly':
      return { start: new Date(Date.UTC(year, month)), resetAt: new Date(Date.UTC(year, month + 1)) };
  }
}

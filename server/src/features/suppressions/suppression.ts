/** Why an address may not be mailed, weakest first: a stronger reason replaces a weaker one, never the reverse. */
export const SUPPRESSION_REASONS = ['soft_bounce', 'unsubscribe', 'manual', 'hard_bounce', 'complaint'] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export interface NewSuppression {
  /** The identity of the address (`identityOf`): lower case, domain in ASCII. */
  identity: string;
  reason: SuppressionReason;
  /** The email whose bounce or complaint this is. */
  sourceEmailId?: string;
  note?: string;
  expiresAt?: Date;
  /** Since when, for a list that was kept elsewhere; now when left out, and never later than now. */
  createdAt?: Date;
}

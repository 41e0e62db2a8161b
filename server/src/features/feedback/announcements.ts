import { announcement } from '#platform/announcements.ts';

/** People's opens and clicks of one email: what machines did is left out. */
export interface HumanEngagement {
  workspaceId: string;
  emailId: string;
  /** The latest of those just applied; null: none. */
  openedAt: Date | null;
  clickedAt: Date | null;
}

/** Emails were opened or clicked by people, in the transaction that counts it; at most 500 emails at once. */
export const emailsEngaged = announcement<readonly HumanEngagement[]>('feedback.emails-engaged');

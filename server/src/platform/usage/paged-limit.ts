/** A limit on the recipients of a calendar day or month (UTC), for senders that take their places page by page. */
export interface PagedLimit {
  workspaceId: string;
  /** The workspace with a quota, or the domain with a cap. */
  subjectId: string;
  tier: 'daily' | 'monthly';
  cap: number;
}

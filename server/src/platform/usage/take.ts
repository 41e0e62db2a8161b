import type { Tier } from '../utc-windows.ts';

/** Places that are taken in one window of a limit: by all windows of a send, or by none. */
export interface Take {
  readonly workspaceId: string;
  /** The API key or the domain that is limited. */
  readonly subjectId: string;
  readonly tier: Tier;
  readonly windowStart: Date;
  readonly cap: number;
  readonly count: number;
  /** The count is of recipients: those of them who are suppressed take no place. */
  readonly ofRecipients?: true;
  /** The error for the caller when the window has no room. */
  refuse(): Error;
}

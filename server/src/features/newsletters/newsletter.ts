/** A newsletter as it is stored. */
export interface Newsletter {
  workspaceId: string;
  id: string;
  name: string;
  slug: string;
  description: string | null;
  fromEmail: string | null;
  fromName: string | null;
  replyTo: string | null;
  doubleOptIn: boolean;
  accentColor: string | null;
  logoUrl: string | null;
  postalAddress: string | null;
  timezone: string;
  /** The name of a locale that there is. */
  language: string;
  trackOpens: boolean;
  trackClicks: boolean;
  archiveEnabled: boolean;
  unsubscribeConfirmPage: boolean;
  signupEnabled: boolean;
  redirectOrigins: string[];
  /** null: the setting decides; 0: never. */
  pendingPurgeDays: number | null;
  confirmationsPausedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The logo of a domain as its owner named it, and what the last check found of its certificate. */
export interface StoredMark {
  /** The path of the logo in the owner's storage: kept and shown, never read. */
  svgPath: string;
  svgUrl: string;
  certificateUrl: string;
  certificateKind: 'vmc' | 'cmc' | null;
  certificateExpiresAt: Date | null;
  lastCheckedAt: Date | null;
}

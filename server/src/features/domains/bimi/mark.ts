import type { BimiFault } from '#mail/bimi/fault.ts';

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

/** The result of one look at everything that a mailbox provider looks at. */
export interface MarkCheck {
  dmarcOk: boolean;
  /** Record, logo and certificate. */
  bimiOk: boolean;
  faults: BimiFault[];
  certificate: { kind: 'vmc' | 'cmc'; issuer: string | null; expiresAt: Date } | null;
}

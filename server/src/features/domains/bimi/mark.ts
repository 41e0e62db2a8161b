import type { BimiFault } from '#mail/bimi/fault.ts';
import type { Judged } from '../checks/judge-records.ts';

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
  /** The state of the record among those of the domain. */
  record: Judged;
  /** The logo that was fetched; undefined: mailboxes would not show it. */
  logo: Buffer | undefined;
}

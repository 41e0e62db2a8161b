/** A judgement, in the words of Amazon SES: page "Contents of notifications for Amazon SES email receiving". */
export type Verdict = 'PASS' | 'FAIL' | 'GRAY' | 'PROCESSING_FAILED' | 'DISABLED';

/** The judgement of a service that received a message before us; null: none. */
export interface MailVerdicts {
  spam: Verdict | null;
  virus: Verdict | null;
  spf: Verdict | null;
  dkim: Verdict | null;
  dmarc: Verdict | null;
}

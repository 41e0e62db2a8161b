import type { MailAuth } from '#mail/inbound/authenticate-message.ts';
import type { MailVerdicts, Verdict } from '#platform/smtp/mail-verdicts.ts';

/** Of spam and viruses. Over SMTP nobody looks for either, and a service that could not tell knows nothing. */
export const contentVerdict = (verdict: Verdict | null | undefined): 'pass' | 'fail' | 'unknown' =>
  verdict === 'PASS' ? 'pass' : verdict === 'FAIL' ? 'fail' : 'unknown';

/** GRAY: the sender has no SPF record, no signature, or no policy. */
const RESULTS: Readonly<Record<Verdict, string>> = {
  PASS: 'pass',
  FAIL: 'fail',
  GRAY: 'none',
  PROCESSING_FAILED: 'temperror',
  DISABLED: 'none',
};

const resultOf = (verdict: Verdict | null): string => (verdict === null ? 'none' : RESULTS[verdict]);

/** The checks of the sender as the service made them. It says nothing of ARC. */
export const authOf = ({ spf, dkim, dmarc }: MailVerdicts): MailAuth => ({
  spf: resultOf(spf),
  dkim: resultOf(dkim),
  dmarc: resultOf(dmarc),
  arc: 'unknown',
});

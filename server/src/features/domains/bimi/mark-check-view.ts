import type { MarkCheck } from './mark.ts';

const SHOWN_BY = 'Gmail, Apple Mail, Yahoo and Fastmail show logos; each decides for itself when.';

function messageOf({ faults, certificate }: MarkCheck): string {
  if (faults.length > 0) return faults.map(({ message }) => message).join(' ');
  const kind =
    certificate?.kind === 'cmc' ? ' With a Common Mark Certificate, fewer of them do, and without a tick.' : '';
  return `Everything is as mailboxes want it. ${SHOWN_BY}${kind}`;
}

/** The check as the API answers it. */
export const markCheckView = (check: MarkCheck) => ({
  dmarc_ok: check.dmarcOk,
  bimi_ok: check.bimiOk,
  message: messageOf(check),
  faults: check.faults,
  certificate: check.certificate && {
    kind: check.certificate.kind,
    issuer: check.certificate.issuer,
    expires_at: check.certificate.expiresAt.toISOString(),
  },
  logo: check.logo === undefined ? null : `data:image/svg+xml;base64,${check.logo.toString('base64')}`,
});

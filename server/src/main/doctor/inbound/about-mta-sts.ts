import { about } from '../finding.ts';

export const MTA_STS = about({
  id: 'mta_sts',
  looksAt:
    'Whether the MTA-STS policy of POSTHORN_BOUNCE_DOMAIN is published as the mail server behaves, so that servers that keep to it deliver. Domains that receive mail need the same records.',
  troubles: {
    'no certificate': {
      status: 'error',
      cause: 'Servers that keep to the policy deliver nothing: port 25 has no certificate of an authority.',
      fix: 'Set POSTHORN_TLS_CERT and POSTHORN_TLS_KEY to a certificate for <host>, or set POSTHORN_MTA_STS=none.',
    },
    'other name': {
      status: 'error',
      cause:
        'Servers that keep to the policy deliver nothing: the certificate is not for <host>, the name in the policy.',
      fix: 'Use a certificate that has <host>, too, or set POSTHORN_INBOUND_HOST to a name that it has.',
    },
    'no policy': {
      status: 'error',
      cause: 'The policy at <url> is not that of Posthorn, so the TXT record is of no use.',
      fix: 'Let the name mta-sts.<domain> lead to the proxy in front of Posthorn, with a certificate for that name, and pass its Host header on. The policy may not be redirected.',
    },
    'no record': {
      status: 'warning',
      cause: 'There is no TXT record _mta-sts.<domain>, so nobody asks for the policy.',
      fix: 'Publish the TXT record _mta-sts.<domain> with the value “<value>”.',
    },
    'other id': {
      status: 'warning',
      cause:
        'The TXT record _mta-sts.<domain> has another id than the policy: servers do not notice that the policy has changed.',
      fix: 'Change the TXT record _mta-sts.<domain> to “<value>”.',
    },
  },
});

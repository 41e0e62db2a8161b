import { about } from '../finding.ts';

export const RELAY = about({
  id: 'relay',
  looksAt:
    'Whether the SMTP relay answers on each of its ports or, where Posthorn does not run at this moment, could listen there.',
  troubles: {
    taken: {
      status: 'error',
      cause: 'Another program has port <port>, so the SMTP relay does not listen there.',
      fix: 'Stop that program, or set <setting> to a free port, or to 0 to turn it off.',
    },
    forbidden: {
      status: 'error',
      cause: 'This user may not listen on port <port>.',
      fix: 'Set <setting> to a port above 1023, and forward <port> to it.',
    },
    'no address': {
      status: 'error',
      cause: 'POSTHORN_HOST is an address that this machine does not have, or no address.',
      fix: 'Set POSTHORN_HOST to an address of this machine, or to 0.0.0.0 for all of them.',
    },
    'no encryption': {
      status: 'error',
      cause: 'The SMTP relay greets on port <port>, and no encrypted connection came about.',
      fix: 'Look at the check relay_certificate, and in the log of Posthorn for what it says of its certificate.',
    },
  },
});

export const RELAY_CERTIFICATE = about({
  id: 'relay_certificate',
  looksAt:
    'Whether the certificate of the SMTP relay can be read, fits its key, is good now by the clock of this machine, and is the one that clients get.',
  troubles: {
    none: {
      status: 'warning',
      cause: 'POSTHORN_HOST lets other machines connect, and the SMTP relay has no certificate, so it does not listen.',
      fix: 'Set POSTHORN_TLS_CERT and POSTHORN_TLS_KEY, or turn the relay off with POSTHORN_SMTP_RELAY_PORT=0 and POSTHORN_SMTP_RELAYS_PORT=0.',
    },
    unreadable: {
      status: 'error',
      cause: 'The certificate in POSTHORN_TLS_CERT and the key in POSTHORN_TLS_KEY cannot be used.',
      fix: 'Correct the paths and the rights of the files. Both are PEM, and the key is that of the first certificate of the file.',
    },
    expired: {
      status: 'error',
      cause: 'The certificate ended on <day>: programs refuse to send.',
      fix: 'Renew it. Posthorn takes up the new files within half a minute, without a restart.',
    },
    'not yet': {
      status: 'error',
      cause: 'The certificate begins on <day>, so the clock of this machine is behind, or it was made for later.',
      fix: 'Let this machine set its clock by NTP, or put a certificate that is good now in POSTHORN_TLS_CERT.',
    },
    'ends soon': {
      status: 'warning',
      cause: 'The certificate ends on <day>. The program that renews certificates should have replaced it by now.',
      fix: 'Look at that program (certbot renew --dry-run). Posthorn takes up new files within half a minute, without a restart.',
    },
    'vouches for itself': {
      status: 'warning',
      cause: 'The certificate vouches for itself: programs refuse it unless each was told to believe it.',
      fix: 'Put a certificate of an authority that programs know, such as Let’s Encrypt, in POSTHORN_TLS_CERT and POSTHORN_TLS_KEY.',
    },
    'without issuers': {
      status: 'warning',
      cause: 'POSTHORN_TLS_CERT holds one certificate, without those of its issuers: many programs refuse it.',
      fix: 'Name the file with the whole chain (fullchain.pem of certbot) in POSTHORN_TLS_CERT.',
    },
    'other name': {
      status: 'warning',
      cause: 'The certificate is for <names>, and not for <host>, the host of POSTHORN_PUBLIC_URL.',
      fix: 'Give programs a name of the certificate as their SMTP host, or use a certificate that has <host>, too.',
    },
    'not in use': {
      status: 'warning',
      cause: 'The SMTP relay still shows another certificate than the one in POSTHORN_TLS_CERT.',
      fix: 'Run the check again in half a minute. If it stays, look in the log for “a changed TLS certificate cannot be used”, or start Posthorn again.',
    },
  },
});

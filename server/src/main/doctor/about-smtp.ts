import { about } from './finding.ts';

export const CONNECTION = about({
  id: 'connection',
  looksAt: 'Whether the mail server takes a connection and greets.',
  troubles: {
    failed: {
      status: 'error',
      cause: 'No session with <server> could be opened.',
      fix: 'Check host and port in POSTHORN_PROVIDER_URL, and that this machine may connect to it: many networks block port 25, and few block 587 and 465.',
    },
    refused: {
      status: 'error',
      cause: 'The mail server answered the connection with a refusal.',
      fix: 'Its answer says why. Often it does not know the address of this machine, or has too many connections: lower the option “connections” in POSTHORN_PROVIDER_URL.',
    },
  },
});

export const TLS = about({
  id: 'tls',
  looksAt: 'Whether the connection is encrypted, and the certificate is good.',
  troubles: {
    failed: {
      status: 'error',
      cause: 'No encrypted connection came about: the certificate is not good, or the server does not offer TLS.',
      fix: 'Use the host name that the certificate is for. Port 465 wants smtps://, port 587 smtp://. The certificate of a private authority is made known by NODE_EXTRA_CA_CERTS.',
    },
    none: {
      status: 'warning',
      cause: 'Messages and credentials travel to the mail server unencrypted.',
      fix: 'Use smtps://, or smtp:// without tls=none, unless the server is on this machine or in a network of your own.',
    },
  },
});

export const SIGN_IN = about({
  id: 'sign_in',
  looksAt: 'Whether the mail server takes the user and password of POSTHORN_PROVIDER_URL. Nothing is sent.',
  troubles: {
    refused: {
      status: 'error',
      cause: 'The mail server does not take the user and password.',
      fix: 'Correct them in POSTHORN_PROVIDER_URL; write special characters percent-encoded (@ is %40, / is %2F). Many providers want a password made for this purpose.',
    },
  },
});

export const RETURN_PATH = about({
  id: 'return_path',
  looksAt: 'Whether bounce messages come back to Posthorn.',
  troubles: {
    'not set': {
      status: 'warning',
      cause:
        'POSTHORN_BOUNCE_DOMAIN is not set: bounce messages go to the sender of each email, and bad addresses are written to again.',
      fix: 'Set POSTHORN_BOUNCE_DOMAIN to a domain of your own (bounces.example.com) and let its MX lead to this machine, port 25 to POSTHORN_INBOUND_SMTP_PORT.',
    },
    'no mx': {
      status: 'error',
      cause: '<domain> has no MX record, so bounce messages find no way back.',
      fix: 'Publish an MX record for <domain> that names the host on which Posthorn receives bounce messages.',
    },
  },
});

export const LISTENER = about({
  id: 'listener',
  looksAt: 'Whether Posthorn listens for bounce messages.',
  troubles: {
    off: {
      status: 'error',
      cause: 'POSTHORN_INBOUND_SMTP_PORT is 0, so nobody listens for bounce messages.',
      fix: 'Set POSTHORN_INBOUND_SMTP_PORT to a free port and lead port 25 of the MX host to it.',
    },
    silent: {
      status: 'warning',
      cause:
        'No mail server greets on POSTHORN_INBOUND_SMTP_PORT of this machine: Posthorn does not run here, or this process has no role smtp.',
      fix: 'Start Posthorn, or a process with --role smtp, and run the check again.',
    },
  },
});

export const BOUNCES = about({
  id: 'bounces',
  looksAt: 'When the last bounce message was received.',
  troubles: {},
});

export const DOMAIN_RECORDS = about({
  id: 'domain_records',
  looksAt: 'Whether the SPF and MX records that domains are asked for name the hosts of your mail server.',
  troubles: {
    'of amazon': {
      status: 'warning',
      cause:
        '<unset> not set: domains are asked for records that name Amazon SES, but mail leaves through <host>. Their SPF records then do not allow your server.',
      fix: 'Set POSTHORN_SPF_HOST to a name whose TXT record lists the addresses of your mail server, and POSTHORN_FEEDBACK_HOST to the host that takes its bounce messages, before the first domain is added (docs/smtp-provider.md).',
    },
  },
});

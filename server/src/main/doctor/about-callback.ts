import { about } from './finding.ts';

export const CALLBACK = about({
  id: 'callback',
  looksAt: 'Whether the address in POSTHORN_PUBLIC_URL can be reached from outside.',
  troubles: {
    local: {
      status: 'error',
      cause: 'POSTHORN_PUBLIC_URL is an address that means this machine, so nobody else can reach it.',
      fix: 'Set POSTHORN_PUBLIC_URL to the https address under which Posthorn is reached from the internet.',
    },
    private: {
      status: 'error',
      cause: 'The host of POSTHORN_PUBLIC_URL has an address that is not public.',
      fix: 'Let its DNS name lead to a public address that forwards to Posthorn.',
    },
    unresolved: {
      status: 'error',
      cause: 'The host of POSTHORN_PUBLIC_URL has no address.',
      fix: 'Publish an A or AAAA record for it, or correct POSTHORN_PUBLIC_URL.',
    },
    insecure: {
      status: 'warning',
      cause: 'POSTHORN_PUBLIC_URL is not https: links in emails and reports of the provider travel unencrypted.',
      fix: 'Put a proxy with a certificate in front of Posthorn and set POSTHORN_PUBLIC_URL to https://….',
    },
    'not running': {
      status: 'warning',
      cause: 'Posthorn does not answer on this machine either: it does not run here.',
      fix: 'Start Posthorn and run the check again.',
    },
    unreachable: {
      status: 'warning',
      cause:
        'Posthorn runs, and its public address does not answer this machine: <reason>. From outside it may all the same; some networks do not let a machine call its own public address.',
      fix: 'Open <address> from another network. If it does not answer there, mend the proxy, its certificate or the firewall.',
    },
    'somebody else': {
      status: 'error',
      cause: 'Something answers at the public address that is not Posthorn.',
      fix: 'Let the proxy hand the whole of POSTHORN_PUBLIC_URL to Posthorn, with /health and /events.',
    },
  },
});

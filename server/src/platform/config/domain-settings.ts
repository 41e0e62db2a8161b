import { HOST_NAME } from './host-name.ts';
import { dnsServer } from './list-entries.ts';
import { list, text } from './setting.ts';

/** The settings of the records of domains and of their checks: a part of the table. */
export const DOMAIN_SETTINGS = {
  dnsServers: list({
    env: 'POSTHORN_DNS_SERVERS',
    fallback: [],
    shown: 'those of each domain',
    item: dnsServer,
    meaning: 'Comma-separated DNS servers for checks of domains. Unset: the authoritative ones.',
  }),
  spfHost: text({
    env: 'POSTHORN_SPF_HOST',
    fallback: 'amazonses.com',
    ...HOST_NAME,
    meaning: 'The host that SPF records of domains include: that of the provider.',
  }),
  feedbackHost: text({
    env: 'POSTHORN_FEEDBACK_HOST',
    fallback: null,
    shown: '`feedback-smtp.<region>.amazonses.com`',
    ...HOST_NAME,
    meaning: 'The host in the MX record of domains, for the feedback of mailboxes.',
  }),
};

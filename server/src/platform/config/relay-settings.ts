import { choice, integer, text } from './setting.ts';

/** The settings of the SMTP relay. */
export const RELAY_SETTINGS = {
  smtpRelayPort: integer({
    env: 'POSTHORN_SMTP_RELAY_PORT',
    fallback: 2587,
    min: 0,
    max: 65_535,
    meaning: 'Where programs hand in mail over SMTP with STARTTLS; 0: off.',
  }),
  smtpRelaysPort: integer({
    env: 'POSTHORN_SMTP_RELAYS_PORT',
    fallback: 2465,
    min: 0,
    max: 65_535,
    meaning: 'The same with TLS from the first byte; 0: off.',
  }),
  tlsCert: text({
    env: 'POSTHORN_TLS_CERT',
    fallback: null,
    shown: 'self-signed, on loopback only',
    meaning:
      'PEM file of the certificate of the SMTP relay and of the port for mail that arrives, with those of its issuers. A renewed file is taken up without a restart. Without it the relay listens on loopback only.',
  }),
  tlsKey: text({ env: 'POSTHORN_TLS_KEY', fallback: null, meaning: 'PEM file of the key of that certificate.' }),
  smtpRelayAllowInsecureAuth: choice({
    env: 'POSTHORN_SMTP_RELAY_ALLOW_INSECURE_AUTH',
    fallback: 'loopback',
    of: ['loopback', 'on', 'off'] as const,
    meaning:
      'Whether the relay takes passwords without TLS: `loopback` from programs on this machine, `on` from everywhere, `off` never.',
  }),
  smtpRelayPerMinute: integer({
    env: 'POSTHORN_SMTP_RELAY_PER_MINUTE',
    fallback: 3_000,
    min: 0,
    max: 1_000_000,
    meaning: 'Messages a minute that the relay takes with one API key, on all processes together; 0: unlimited.',
  }),
};

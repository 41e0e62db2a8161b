import { HOST_NAME } from './host-name.ts';
import { bucketName } from './list-entries.ts';
import { choice, integer, list, text } from './setting.ts';

/** The settings of mail that arrives for domains: a part of the table. */
export const INBOUND_SETTINGS = {
  inboundHost: text({
    env: 'POSTHORN_INBOUND_HOST',
    fallback: null,
    shown: 'POSTHORN_BOUNCE_DOMAIN, or the host of POSTHORN_PUBLIC_URL',
    ...HOST_NAME,
    meaning: 'The host in the MX record of receiving domains. It must lead to POSTHORN_INBOUND_SMTP_PORT.',
  }),
  sesReceiving: choice({
    env: 'POSTHORN_SES_RECEIVING',
    fallback: 'off',
    of: ['off', 'on'] as const,
    meaning:
      '`on`: Amazon SES receives the mail of domains, and their MX records name its host in their region. Receipt rules tell a topic of POSTHORN_SES_TOPIC_ARNS.',
  }),
  sesBuckets: list({
    env: 'POSTHORN_SES_BUCKETS',
    fallback: [],
    item: bucketName,
    meaning: 'Comma-separated S3 buckets in which receipt rules of Amazon SES put mail. No other bucket is read.',
  }),
  mtaSts: choice({
    env: 'POSTHORN_MTA_STS',
    fallback: 'off',
    of: ['off', 'testing', 'enforce', 'none'] as const,
    meaning:
      'The mode of the MTA-STS policy (RFC 8461) that Posthorn serves for the bounce domain and for domains that receive mail. `none` withdraws an earlier one; `off`: there is no policy.',
  }),
  inboundMessageMb: integer({
    env: 'POSTHORN_INBOUND_MESSAGE_MB',
    fallback: 25,
    min: 1,
    max: 40,
    meaning: 'MB that a received message may have, as it comes over the wire.',
  }),
  inboundPerMinute: integer({
    env: 'POSTHORN_INBOUND_PER_MINUTE',
    fallback: 600,
    min: 0,
    max: 1_000_000,
    meaning: 'Messages a minute that a receiving domain takes; more are asked to come later. 0: unlimited.',
  }),
  inboundMb: integer({
    env: 'POSTHORN_INBOUND_MB',
    fallback: 2_048,
    min: 0,
    max: 10_485_760,
    meaning: 'MB of received mail that a domain may keep; when it is full, mail is asked to come later. 0: unlimited.',
  }),
  inboundDays: integer({
    env: 'POSTHORN_INBOUND_DAYS',
    fallback: 90,
    min: 0,
    max: 3_650,
    meaning: 'How long received mail is kept; 0: for ever.',
  }),
};

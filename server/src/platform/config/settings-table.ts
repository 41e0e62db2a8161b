import { DOMAIN_SETTINGS } from './domain-settings.ts';
import { cidr, domain, previousSecret, seconds, topicArn } from './list-entries.ts';
import { IMAGE_SETTINGS } from './image-settings.ts';
import { INBOUND_SETTINGS } from './inbound-settings.ts';
import { RELAY_SETTINGS } from './relay-settings.ts';
import { choice, decimal, httpUrl, integer, list, text } from './setting.ts';

/**
 * Every setting there is, in the order of the documentation, whose table is generated from this one. Keys are how the
 * code names a setting; `env` is how an operator does.
 */
export const SETTINGS = {
  port: integer({ env: 'PORT', fallback: 3000, min: 0, max: 65_535, meaning: 'Port of the one HTTP listener.' }),
  host: text({
    env: 'POSTHORN_HOST',
    fallback: '127.0.0.1',
    meaning: 'Address the listeners bind to (HTTP, the SMTP relay, and SMTP for mail that arrives).',
  }),
  publicUrl: httpUrl({
    env: 'POSTHORN_PUBLIC_URL',
    fallback: null,
    shown: 'http://localhost:<PORT>',
    meaning: 'Base of every link in an answer or an email.',
  }),
  dashboardUrl: httpUrl({
    env: 'POSTHORN_DASHBOARD_URL',
    fallback: null,
    shown: 'POSTHORN_PUBLIC_URL',
    meaning: 'Base of links that people follow in an email, when their pages live on another host.',
  }),
  dashboardFiles: text({
    env: 'POSTHORN_DASHBOARD_FILES',
    fallback: null,
    shown: 'built by `npm start`',
    meaning: 'Folder of a dashboard that was built elsewhere; `none` serves the API without a dashboard.',
  }),
  databaseUrl: text({
    env: 'DATABASE_URL',
    fallback: null,
    shown: 'embedded',
    secret: true,
    isAddress: true,
    pattern: /^postgres(ql)?:\/\//,
    expects: 'a postgresql:// address',
    meaning: 'PostgreSQL 15 or later. Unset: an embedded server with its data in POSTHORN_DATA_DIR.',
  }),
  databaseDirectUrl: text({
    env: 'DATABASE_DIRECT_URL',
    fallback: null,
    shown: 'DATABASE_URL',
    secret: true,
    isAddress: true,
    pattern: /^postgres(ql)?:\/\//,
    expects: 'a postgresql:// address',
    meaning:
      'The same database without a transaction pooler in between: for migrations and for the connection that listens. Needed when DATABASE_URL leads to a pooler.',
  }),
  unsafeDatabase: choice({
    env: 'POSTHORN_UNSAFE_DATABASE',
    fallback: 'refuse',
    of: ['refuse', 'allow'] as const,
    meaning:
      '`refuse` or `allow` a PostgreSQL with `fsync` or `full_page_writes` off, on which a power cut can lose everything.',
  }),
  restoreFence: choice({
    env: 'POSTHORN_RESTORE_FENCE',
    fallback: 'on',
    of: ['on', 'off'] as const,
    meaning:
      '`on`: nothing is sent from a database that was restored or copied, or that was not used for a day, until an operator confirms. `off` for clusters of PostgreSQL that fail over by themselves and lose no commit.',
  }),
  databasePool: integer({
    env: 'POSTHORN_DATABASE_POOL',
    fallback: 8,
    min: 2,
    max: 200,
    meaning: 'Database connections for requests of this process.',
  }),
  workerDatabasePool: integer({
    env: 'POSTHORN_WORKER_DATABASE_POOL',
    fallback: 6,
    min: 2,
    max: 200,
    meaning: 'Database connections for the services of a worker, so that requests and mail do not wait for each other.',
  }),
  bodyBudgetMb: integer({
    env: 'POSTHORN_BODY_BUDGET_MB',
    fallback: 128,
    min: 1,
    max: 65_536,
    meaning:
      'Megabytes of request bodies and relayed messages that this process holds at once; a request beyond answers 503, a message 452. A body needs about five times its size in memory.',
  }),
  dataDir: text({ env: 'POSTHORN_DATA_DIR', fallback: './data', meaning: 'Embedded database and generated secrets.' }),
  secretKey: text({
    env: 'POSTHORN_SECRET_KEY',
    fallback: null,
    shown: 'generated, kept in the data directory',
    secret: true,
    pattern: /^.{32,}$/,
    expects: 'at least 32 characters',
    meaning: 'Encrypts DKIM keys and webhook secrets, derives token keys. Required when DATABASE_URL is set.',
  }),
  previousSecretKeys: list({
    env: 'POSTHORN_PREVIOUS_SECRET_KEYS',
    fallback: [],
    secret: true,
    item: previousSecret,
    meaning:
      'Comma-separated secrets that POSTHORN_SECRET_KEY had before: links in mail that was sent under them keep working. Nothing else is read with them.',
  }),
  providerUrl: text({
    env: 'POSTHORN_PROVIDER_URL',
    fallback: 'capture:',
    secret: true,
    isAddress: true,
    meaning:
      'Where mail goes: `capture:`, `ses://us-east-1?configurationSet=…`, `smtp://user:pass@host:587` or `smtps://…`.',
  }),
  sesEndpoint: httpUrl({
    env: 'POSTHORN_SES_ENDPOINT',
    fallback: null,
    shown: 'that of the region',
    meaning: 'Another address of the APIs of Amazon SES and Amazon S3, for emulators.',
  }),
  sesTopicArns: list({
    env: 'POSTHORN_SES_TOPIC_ARNS',
    fallback: [],
    item: topicArn,
    meaning: 'Comma-separated ARNs of the Amazon SNS topics whose notifications are believed.',
  }),
  snsCertHost: text({
    env: 'POSTHORN_SNS_CERT_HOST',
    fallback: null,
    shown: '`sns.<region>.amazonaws.com`',
    pattern: /^(https?:\/\/)?[a-z0-9.-]+(:\d{1,5})?$/i,
    expects: 'a host, or an origin such as http://127.0.0.1:4100',
    meaning: 'Where signing certificates and subscriptions of Amazon SNS live, for emulators.',
  }),
  sendRate: decimal({
    env: 'POSTHORN_SEND_RATE',
    fallback: 12,
    min: 0.01,
    max: 1_000_000,
    meaning: 'Recipients per second, over all processes.',
  }),
  providerCeiling: decimal({
    env: 'POSTHORN_PROVIDER_CEILING',
    fallback: 14,
    min: 0.01,
    max: 1_000_000,
    meaning: 'Rate that the provider account allows; a higher send rate is refused at start.',
  }),
  unconfirmedSeconds: integer({
    env: 'POSTHORN_UNCONFIRMED_SECONDS',
    fallback: 600,
    min: 1,
    max: 86_400,
    meaning: 'How long an email of unknown outcome waits for its provider event.',
  }),
  leaseSeconds: integer({
    env: 'POSTHORN_LEASE_SECONDS',
    fallback: 60,
    min: 2,
    max: 3_600,
    meaning: 'Lease of a claimed email. The provider is given this time less a margin to answer.',
  }),
  stopSeconds: integer({
    env: 'POSTHORN_STOP_SECONDS',
    fallback: 25,
    min: 1,
    max: 600,
    meaning:
      'How long a process that is told to end waits for the answers to hand-offs that have begun. Five seconds less than its supervisor waits before it kills.',
  }),
  bounceDomain: text({
    env: 'POSTHORN_BOUNCE_DOMAIN',
    fallback: null,
    shown: 'none',
    pattern: /^(?=.{1,180}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i,
    expects: 'a domain',
    meaning:
      'With an SMTP provider: the domain of the return path. Its MX must lead to POSTHORN_INBOUND_SMTP_PORT, where bounce messages and feedback reports are read, and requests to unsubscribe by mail.',
  }),
  ...RELAY_SETTINGS,
  inboundSmtpPort: integer({
    env: 'POSTHORN_INBOUND_SMTP_PORT',
    fallback: 2525,
    min: 0,
    max: 65_535,
    meaning:
      'Where mail arrives: bounce messages when POSTHORN_BOUNCE_DOMAIN is set, and in the cloud edition mail for receiving domains. 0: off.',
  }),
  ...INBOUND_SETTINGS,
  egressAllow: list({
    env: 'POSTHORN_EGRESS_ALLOW',
    fallback: [],
    item: cidr,
    meaning:
      'CIDRs that webhooks may reach although they are not public, over http and on any port (`127.0.0.1/32` for development).',
  }),
  webhookTimeoutSeconds: integer({
    env: 'POSTHORN_WEBHOOK_TIMEOUT_SECONDS',
    fallback: 10,
    min: 1,
    max: 10,
    meaning: 'How long a webhook receiver may take to answer.',
  }),
  webhookRetrySeconds: list({
    env: 'POSTHORN_WEBHOOK_RETRY_SECONDS',
    fallback: ['5', '300', '1800', '7200', '18000', '36000', '36000'],
    item: seconds,
    meaning: 'Waits between the attempts of a webhook delivery; one more attempt than there are waits.',
  }),
  edition: choice({
    env: 'POSTHORN_EDITION',
    fallback: 'cloud',
    of: ['cloud', 'self-hosted'] as const,
    meaning: '`cloud` or `self-hosted` (no domain management: 403).',
  }),
  senderDomains: list({
    env: 'POSTHORN_SENDER_DOMAINS',
    fallback: [],
    item: domain,
    meaning: 'Comma-separated domains that count as verified for sending.',
  }),
  ...DOMAIN_SETTINGS,
  signup: choice({
    env: 'POSTHORN_SIGNUP',
    fallback: 'closed',
    of: ['closed', 'open'] as const,
    meaning: '`open` lets anyone register a workspace.',
  }),
  keyLimitHourly: integer({
    env: 'POSTHORN_KEY_LIMIT_HOURLY',
    fallback: 100,
    min: 0,
    max: 2_000_000_000,
    meaning: 'Send requests an hour of a new API key; 0: unlimited.',
  }),
  keyLimitDaily: integer({
    env: 'POSTHORN_KEY_LIMIT_DAILY',
    fallback: 1_000,
    min: 0,
    max: 2_000_000_000,
    meaning: 'The same a day (UTC).',
  }),
  keyLimitMonthly: integer({
    env: 'POSTHORN_KEY_LIMIT_MONTHLY',
    fallback: 10_000,
    min: 0,
    max: 2_000_000_000,
    meaning: 'The same a calendar month (UTC).',
  }),
  publicLimitPerMinute: integer({
    env: 'POSTHORN_PUBLIC_LIMIT_PER_MINUTE',
    fallback: 30,
    min: 0,
    max: 2_000_000_000,
    meaning:
      'Requests a minute to the public endpoints of newsletters that sign up or send, per network address (IPv6: per /64); 0: unlimited.',
  }),
  publicLimitPerHour: integer({
    env: 'POSTHORN_PUBLIC_LIMIT_PER_HOUR',
    fallback: 300,
    min: 0,
    max: 2_000_000_000,
    meaning: 'The same an hour.',
  }),
  pendingPurgeDays: integer({
    env: 'POSTHORN_PENDING_PURGE_DAYS',
    fallback: 30,
    min: 0,
    max: 3_650,
    meaning:
      'Days after which subscribers who never confirmed are forgotten, where their newsletter does not say; 0: never.',
  }),
  retentionDays: integer({
    env: 'POSTHORN_RETENTION_DAYS',
    fallback: 90,
    min: 0,
    max: 36_500,
    meaning: 'Days after which emails are removed, with their content, events and files; counts stay. 0: never.',
  }),
  clientDataDays: integer({
    env: 'POSTHORN_CLIENT_DATA_DAYS',
    fallback: 30,
    min: 0,
    max: 36_500,
    meaning: 'Days after which the IP address and the user agent are removed from opens and clicks; 0: never.',
  }),
  capturedDays: integer({
    env: 'POSTHORN_CAPTURED_DAYS',
    fallback: 7,
    min: 0,
    max: 36_500,
    meaning: 'Days after which captured mail is removed; 0: never.',
  }),
  capturedMb: integer({
    env: 'POSTHORN_CAPTURED_MB',
    fallback: 2_048,
    min: 0,
    max: 1_048_576,
    meaning: 'MB of captured mail that a workspace may have before the oldest is removed; 0: unlimited.',
  }),
  ...IMAGE_SETTINGS,
  consentDays: integer({
    env: 'POSTHORN_CONSENT_DAYS',
    fallback: 1_095,
    min: 0,
    max: 36_500,
    meaning: 'Days for which the consents of a deleted newsletter are kept as proof; 0: for ever.',
  }),
  auditDays: integer({
    env: 'POSTHORN_AUDIT_DAYS',
    fallback: 400,
    min: 0,
    max: 36_500,
    meaning: 'Days after which entries of the audit log and the security log are removed, at least 30; 0: never.',
  }),
  blockedEmailDomains: list({
    env: 'POSTHORN_BLOCKED_EMAIL_DOMAINS',
    fallback: [],
    item: domain,
    meaning:
      'Comma-separated domains, with what is below them, whose addresses cannot sign up on public pages, besides the disposable ones that are known.',
  }),
  humanProof: choice({
    env: 'POSTHORN_HUMAN_PROOF',
    fallback: 'none',
    of: ['none', 'turnstile', 'hcaptcha'] as const,
    meaning:
      '`turnstile` (Cloudflare) or `hcaptcha`: sign-up on public pages and at `/api/n/:slug/subscribe` needs the proof of this service that a person asks.',
  }),
  humanProofSiteKey: text({
    env: 'POSTHORN_HUMAN_PROOF_SITE_KEY',
    fallback: null,
    pattern: /^[A-Za-z0-9_.-]{1,200}$/,
    expects: 'up to 200 characters of A-Z, a-z, 0-9, _, . and -',
    meaning: 'The public key that this service gave you for your sites.',
  }),
  humanProofSecret: text({
    env: 'POSTHORN_HUMAN_PROOF_SECRET',
    fallback: null,
    secret: true,
    pattern: /^.{1,500}$/,
    expects: 'up to 500 characters',
    meaning: 'The secret that belongs to the site key.',
  }),
  humanProofUrl: httpUrl({
    env: 'POSTHORN_HUMAN_PROOF_URL',
    fallback: null,
    shown: 'that of the service',
    meaning: 'Another address at which proofs are verified, for emulators.',
  }),
  scannerNetworks: list({
    env: 'POSTHORN_SCANNER_NETWORKS',
    fallback: [],
    item: cidr,
    meaning:
      'CIDRs of mail scanners, besides those that are known: links followed from there show a button and change nothing.',
  }),
  trustProxy: list({
    env: 'POSTHORN_TRUST_PROXY',
    fallback: [],
    item: cidr,
    meaning: 'CIDRs of proxies whose X-Forwarded-For (HTTP) and PROXY header (SMTP relay) are believed.',
  }),
  adminEmail: text({
    env: 'POSTHORN_ADMIN_EMAIL',
    fallback: null,
    shown: 'admin@posthorn.test',
    meaning: 'Email of the owner made on the first start.',
  }),
  adminPassword: text({
    env: 'POSTHORN_ADMIN_PASSWORD',
    fallback: null,
    shown: 'generated and printed once',
    secret: true,
    pattern: /^.{10,256}$/,
    expects: '10 to 256 characters',
    meaning: 'Password of that owner.',
  }),
  apiKey: text({
    env: 'POSTHORN_API_KEY',
    fallback: null,
    shown: 'generated and printed once',
    secret: true,
    pattern: /^[A-Za-z0-9_-]{24,128}$/,
    expects: '24 to 128 characters of A-Z, a-z, 0-9, _ and -',
    meaning: 'First API key (full access), first start only.',
  }),
  logLevel: choice({
    env: 'POSTHORN_LOG_LEVEL',
    fallback: 'info',
    of: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const,
    meaning: 'How much is logged.',
  }),
};

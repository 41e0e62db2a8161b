import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { DKIM_STATUSES, REGIONS } from '../domain.ts';
import { BimiCheck, DnsRecord, wrapped } from '../records/schemas.ts';

const Id = Type.String({ format: 'uuid', examples: ['0197f3c0-1122-7d44-8a55-66778899aabb'] });
const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });
const Count = Type.Integer({ minimum: 0 });

const NAME_CHARS_MAX = 1_000;
/** The highest integer of the database. */
const CAP_MAX = 2_147_483_647;

export const CreateDomainBody = Type.Object({
  domain: Type.String({
    minLength: 1,
    maxLength: NAME_CHARS_MAX,
    description: 'Stored in lower case and ASCII, without the dot at the end.',
    examples: ['acme.example'],
  }),
  region: Type.Optional(
    Type.Enum([...REGIONS], {
      description: 'The sending region; `us-east-1` when left out.',
      examples: ['eu-north-1'],
    }),
  ),
});

const Cap = (period: string) =>
  Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: CAP_MAX,
        description: `Recipients that are accepted ${period} (UTC). null: unlimited, 0: none.`,
        examples: [10_000],
      }),
    ),
  );

export const LimitsBody = Type.Object({ maxDailyEmails: Cap('a day'), maxMonthlyEmails: Cap('a calendar month') });

const DkimStatus = Type.Enum([...DKIM_STATUSES], { title: 'DkimStatus', examples: ['pending'] });

const summary = {
  id: Id,
  domain: Type.String({ examples: ['acme.example'] }),
  provider_region: Type.Enum([...REGIONS], { examples: ['us-east-1'] }),
  dkim_status: DkimStatus,
  sending_enabled: Type.Boolean({ description: 'Mail can be sent from it.' }),
  receiving_enabled: Type.Boolean(),
  created_at: Instant,
  last_checked_at: nullable(Instant),
  max_daily_emails: nullable(Count),
  max_monthly_emails: nullable(Count),
};

const DomainSummary = Type.Object(summary, { title: 'DomainSummary', additionalProperties: false });

const DnsRecords = Type.Array(DnsRecord);

const Domain = Type.Object(
  {
    ...summary,
    webhook_url: nullable(Type.String({ description: 'Where received mail is forwarded to.' })),
    webhook_secret: nullable(
      Type.String({ description: 'Signs what is forwarded. People with read access see it masked.' }),
    ),
    webhook_health: nullable(
      Type.Object(
        {
          enabled: Type.Boolean({ description: 'false: it was disabled after five days of failures, or by a 410.' }),
          disabled_reason: nullable(Type.String()),
          last_success_at: nullable(Instant),
          last_failure_at: nullable(Instant),
          failing_since: nullable(
            Type.String({ ...Instant, description: 'The first failure since the last success.' }),
          ),
        },
        {
          title: 'DomainWebhookHealth',
          description: 'How the forwarding of received mail does; null: nothing is forwarded.',
          additionalProperties: false,
        },
      ),
    ),
    bimi_enabled: Type.Boolean(),
    bimi_check: nullable(
      Type.Object(
        { checked_at: Instant, ...BimiCheck.properties },
        {
          title: 'LastBimiCheck',
          description: 'The last one of this logo; null: it was not checked.',
          additionalProperties: false,
        },
      ),
    ),
    next_check_at: nullable(
      Type.String({ format: 'date-time', description: 'When its records are looked at next; null: only when asked.' }),
    ),
    dkim_selector: Type.String({ description: 'Of the key that signs.', examples: ['posthorn1'] }),
    verified_at: nullable(Instant),
    failure_reason: nullable(Type.String({ description: 'Why the last check did not verify it.' })),
    usage: Type.Object(
      {
        daily: Count,
        monthly: Count,
        is_estimate: Type.Boolean({
          description:
            'A number without a limit is at least so much: more than 10,000 emails of the workspace wait, and the first of them were counted.',
        }),
        resets: Type.Object(
          { daily: Instant, monthly: Instant },
          { title: 'DomainResets', additionalProperties: false },
        ),
      },
      {
        title: 'DomainUsage',
        description:
          'Recipients accepted in the current day and month (UTC). A first limit begins with those accepted before.',
        additionalProperties: false,
      },
    ),
    tracking: Type.Object(
      { opens: Type.Boolean(), clicks: Type.Boolean() },
      {
        title: 'DomainTracking',
        description: 'Of sends that do not set it: the setting of the workspace.',
        additionalProperties: false,
      },
    ),
    provider_identity: nullable(
      Type.Object(
        {
          status: Type.Enum(['pending', 'found', 'missing'], {
            description: 'Whether the delivery service has the domain; `pending` before the first look.',
            examples: ['found'],
          }),
          dkim_status: nullable(
            Type.String({ description: 'Of the key there, in the word of the service.', examples: ['SUCCESS'] }),
          ),
          sending_enabled: Type.Boolean({ description: 'The service takes mail of the domain.' }),
          failure_reason: nullable(Type.String({ description: 'Why the service could not be told of the domain.' })),
          checked_at: nullable(Instant),
        },
        {
          title: 'ProviderIdentity',
          description:
            'The state at Amazon SES, at the last check. null with a delivery service that takes mail of every domain.',
          additionalProperties: false,
        },
      ),
    ),
    dns_host: Type.Object(
      {
        id: Type.String({ description: '`other` when it is not known.', examples: ['cloudflare'] }),
        name: Type.String({ examples: ['Cloudflare'] }),
        name_servers: nullable(
          Type.Array(Type.String(), {
            description: 'At the last check; null before it.',
            examples: [['ada.ns.cloudflare.com']],
          }),
        ),
        steps: Type.Array(Type.String(), { description: 'The steps to publish a record there, as sentences.' }),
        takes_strings: Type.Boolean({ description: 'Its form takes `strings`, in quotation marks, and not `value`.' }),
      },
      {
        title: 'DnsHost',
        description: 'The host of the DNS zone, known by its name servers.',
        additionalProperties: false,
      },
    ),
    dns_records: DnsRecords,
  },
  { title: 'Domain', additionalProperties: false },
);

export const DomainAnswer = wrapped(Domain, 'DomainAnswer');
export const DomainsAnswer = wrapped(Type.Array(DomainSummary), 'DomainsAnswer');
export const DomainDeleted = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'DomainDeleted', additionalProperties: false },
);
export const LimitsAnswer = wrapped(
  Type.Object(
    {
      id: Id,
      domain: Type.String(),
      max_daily_emails: nullable(Count),
      max_monthly_emails: nullable(Count),
    },
    { title: 'DomainLimits', additionalProperties: false },
  ),
  'DomainLimitsAnswer',
);

import { Type } from 'typebox';
import { listEnvelope, pageQuery } from '#platform/http/paging.ts';
import { nullable } from '#platform/records/wire-types.ts';
import { DKIM_STATUSES } from '../domain.ts';
import { wrapped } from '../records/schemas.ts';

const Id = Type.String({ format: 'uuid', examples: ['0197f3c0-1122-7d44-8a55-66778899aabb'] });
const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });

export const VerifyAnswer = wrapped(
  Type.Object(
    {
      id: Id,
      dkim_status: Type.Enum([...DKIM_STATUSES], { title: 'DkimStatus', examples: ['pending'] }),
      sending_enabled: Type.Boolean(),
      failure_reason: nullable(Type.String({ description: 'Why it is not verified; null when it is.' })),
      last_checked_at: nullable(Instant),
    },
    { title: 'DomainVerification', additionalProperties: false },
  ),
  'DomainVerificationAnswer',
);

const ServerAnswer = Type.Object(
  {
    server: Type.String({ description: 'The address that was asked.', examples: ['192.0.2.53'] }),
    values: nullable(Type.Array(Type.String(), { description: 'null: no answer. Empty: there is no such record.' })),
    ttl: nullable(Type.Integer({ description: 'In seconds.', examples: [300] })),
    error: nullable(Type.String({ description: 'Why there is no answer.', examples: ['SERVFAIL'] })),
  },
  { title: 'DnsServerAnswer', additionalProperties: false },
);

const DnsLookup = Type.Object(
  {
    name: Type.String({ examples: ['posthorn1._domainkey.acme.example'] }),
    type: Type.Enum(['TXT', 'MX'], { examples: ['TXT'] }),
    reason: nullable(Type.String({ description: 'Why the servers gave no common answer.' })),
    answers: Type.Array(ServerAnswer),
  },
  { title: 'DnsLookup', additionalProperties: false },
);

const CheckedRecord = Type.Object(
  {
    key: Type.String({ examples: ['dkim posthorn1'] }),
    status: Type.Enum(['found', 'missing', 'mismatch', 'duplicate', 'temporary_failure'], { examples: ['found'] }),
    found: Type.Array(Type.String()),
    hint: nullable(Type.String()),
  },
  { title: 'CheckedRecord', additionalProperties: false },
);

const DomainCheck = Type.Object(
  {
    id: Id,
    at: Instant,
    requested: Type.Boolean({ description: 'true: by `verify`. false: in the background.' }),
    outcome: Type.Enum(['verified', 'failed', 'temporary_failure'], { examples: ['verified'] }),
    reason: nullable(Type.String()),
    records: Type.Array(CheckedRecord),
    lookups: Type.Array(DnsLookup, { description: 'The evidence: each server that was asked, and its answer.' }),
  },
  { title: 'DomainCheck', additionalProperties: false },
);

const page = listEnvelope(DomainCheck);
export const ChecksQuery = Type.Object(pageQuery);
export const ChecksAnswer = Type.Object(
  { success: Type.Literal(true), ...page.properties, message: Type.String() },
  { title: 'DomainCheckPage', additionalProperties: false },
);

import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { SCOPE_PRESETS, SCOPES } from '#features/workspaces';
import { SHOWN_LINE } from '#platform/records/text-patterns.ts';

const Instant = Type.String({ format: 'date-time', examples: ['2027-01-01T00:00:00.000Z'] });
const Id = Type.String({ format: 'uuid', examples: ['0197f400-1c2d-7abc-8def-0123456789ab'] });

const LISTED_MAX = 100;
const LIMIT_MAX = 2_147_483_647;
export const GRACE_DEFAULT_SECONDS = 86_400;
const GRACE_MAX_SECONDS = 30 * 86_400;

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  ...SHOWN_LINE,
  description: 'The purpose of the key.',
  examples: ['prod'],
});

const Scopes = Type.Array(Type.String({ maxLength: 50 }), {
  minItems: 1,
  maxItems: LISTED_MAX,
  description:
    `\`*\` or any of ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. \`:write\` includes \`:read\`. ` +
    `Presets, written out in the record: ${Object.keys(SCOPE_PRESETS)
      .map((name) => `\`${name}\``)
      .join(', ')}.`,
  examples: [['emails:send']],
});

const limit = (per: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMIT_MAX,
      description: `Send requests per UTC ${per}; 0 = unlimited.`,
      examples: [100],
    }),
  );

const fields = {
  domain_ids: Type.Optional(
    Type.Array(Id, { maxItems: LISTED_MAX, description: 'Domains it may send from; empty: all of the workspace.' }),
  ),
  newsletter_ids: Type.Optional(
    Type.Array(Id, { maxItems: LISTED_MAX, description: 'Newsletters it may touch; empty: all of the workspace.' }),
  ),
  allowed_ips: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: LISTED_MAX,
      description: 'Addresses and CIDR ranges, IPv4 and IPv6, that it may be used from; empty: everywhere.',
      examples: [['203.0.113.0/24', '2001:db8::/32']],
    }),
  ),
  expires_at: Type.Optional(nullable(Instant)),
  limits: Type.Optional(
    Type.Object(
      { hourly: limit('hour'), daily: limit('day'), monthly: limit('calendar month') },
      { description: 'Left out: the defaults of the installation.' },
    ),
  ),
};

export const CreateApiKeyBody = Type.Object({
  name: Name,
  scopes: Scopes,
  ...fields,
  mode: Type.Optional(
    Type.Enum(['live', 'test'], {
      description: 'Mail of a test key is captured and never delivered.',
      examples: ['live'],
    }),
  ),
});

export const UpdateApiKeyBody = Type.Object({
  name: Type.Optional(Name),
  scopes: Type.Optional(Scopes),
  ...fields,
  enabled: Type.Optional(Type.Boolean({ description: 'false: answers 401 until it is true again.' })),
});

export const RotateApiKeyBody = Type.Object({
  grace_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: GRACE_MAX_SECONDS,
      description: `How long the old key still works; ${GRACE_DEFAULT_SECONDS} when left out, 0: not at all.`,
      examples: [86_400],
    }),
  ),
});

const record = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key.', examples: ['ph_live_7Qm2'] }),
  last4: Type.String({ description: 'The last characters of the key.', examples: ['x9Lb'] }),
  scopes: Type.Array(Type.String()),
  domain_ids: Type.Array(Type.String()),
  newsletter_ids: Type.Array(Type.String()),
  allowed_ips: Type.Array(Type.String()),
  mode: Type.Enum(['live', 'test']),
  limits: Type.Object(
    { hourly: Type.Integer(), daily: Type.Integer(), monthly: Type.Integer() },
    { additionalProperties: false, description: '0 = unlimited.' },
  ),
  enabled: Type.Boolean(),
  created_by: nullable(Type.String({ description: 'User id; null for a key made with a key.' })),
  last_used_at: nullable(Instant),
  last_used_ip: nullable(Type.String()),
  expires_at: nullable(Instant),
  revoked_at: nullable(Instant),
  created_at: Instant,
};

export const ApiKeyRecord = Type.Object(record, { title: 'ApiKey', additionalProperties: false });
export const ApiKeyWithSecret = Type.Object(
  { ...record, key: Type.String({ description: 'The key itself. Shown here and never again.' }) },
  { title: 'ApiKeyWithSecret', additionalProperties: false },
);
export const ApiKeyParams = Type.Object({ id: Id });
export const Revoked = Type.Object({ success: Type.Literal(true) }, { title: 'Success', additionalProperties: false });

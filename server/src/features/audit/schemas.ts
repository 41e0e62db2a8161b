import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { pageQuery } from '#platform/http/paging.ts';

const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });

export const AuditQuery = Type.Object({
  ...pageQuery,
  actor: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'Id or address of a user, id of an API key, or one of `user`, `api_key`, `public`, `system`.',
      examples: ['ada@example.com'],
    }),
  ),
  action: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only this action.', examples: ['suppression.removed'] }),
  ),
  target: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'Only what was done to this record: its id, or its type and id, as `target` of an entry has them.',
      examples: ['webhook:0197f400-1c2d-7abc-8def-0123456789ab'],
    }),
  ),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'From this time on.', examples: ['2026-11-20T10:00:00.000Z'] }),
  ),
  until: Type.Optional(
    Type.String({ format: 'date-time', description: 'Before this time.', examples: ['2026-11-21T10:00:00.000Z'] }),
  ),
});

export const Done = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    at: Instant,
    actor: Type.Object(
      {
        type: Type.String({ examples: ['user'], description: 'user, api_key, public or system.' }),
        id: nullable(Type.String()),
        email: nullable(Type.String()),
        ip: nullable(Type.String()),
      },
      { additionalProperties: false },
    ),
    action: Type.String({ examples: ['suppression.added'] }),
    target: Type.Object(
      { type: nullable(Type.String()), id: nullable(Type.String()) },
      { additionalProperties: false },
    ),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'AuditEntry', additionalProperties: false },
);

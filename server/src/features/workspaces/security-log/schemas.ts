import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { Id, Instant, nullable } from '../schemas.ts';

export const SecurityEvent = Type.Object(
  {
    id: Id,
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
    action: Type.String({ examples: ['api_key.revoked'] }),
    target: Type.Object(
      { type: nullable(Type.String()), id: nullable(Type.String()) },
      { additionalProperties: false },
    ),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'SecurityEvent', additionalProperties: false },
);

export const SecurityLogQuery = Type.Object({
  ...pageQuery,
  action: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only this action.', examples: ['api_key.created'] }),
  ),
});

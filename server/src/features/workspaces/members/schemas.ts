import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { Id, Instant, nullable, Role } from '../schemas.ts';

export const Member = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Same as `user_id`.' }),
    user_id: Id,
    email: Type.String({ examples: ['ada@example.com'] }),
    name: nullable(Type.String()),
    role: Role,
    joined_at: Instant,
    last_seen_at: nullable(Instant),
  },
  { title: 'Member', additionalProperties: false },
);

export const MemberRemoved = Type.Object(
  {
    success: Type.Literal(true),
    api_keys: Type.Array(Type.Object({ id: Id, name: Type.String() }, { additionalProperties: false }), {
      description: 'Working API keys that the member made, newest first. They go on working until they are revoked.',
    }),
  },
  { title: 'MemberRemoved', additionalProperties: false },
);

export const MembersQuery = Type.Object({
  ...pageQuery,
  role: Type.Optional(Role),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'A part of the address or the name.', examples: ['ada'] }),
  ),
});
export const MemberParams = Type.Object({ id: Id, userId: Id });
export const ChangeMemberBody = Type.Object({ role: Role });

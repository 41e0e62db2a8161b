import { Type } from 'typebox';
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

export const MemberParams = Type.Object({ id: Id, userId: Id });
export const ChangeMemberBody = Type.Object({ role: Role });

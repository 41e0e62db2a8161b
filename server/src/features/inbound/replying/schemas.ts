import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';

const TEXT_CHARS_MAX = 2 * 1_024 * 1_024;

export const ReplyBody = Type.Object({
  html: Type.Optional(nullable(Type.String({ maxLength: TEXT_CHARS_MAX }))),
  text: Type.Optional(nullable(Type.String({ maxLength: TEXT_CHARS_MAX, examples: ['You are welcome.'] }))),
  from: Type.Optional(
    nullable(Type.String({ maxLength: 1_000, description: 'The address that the message was sent to when left out.' })),
  ),
  subject: Type.Optional(
    nullable(Type.String({ maxLength: 998, description: '`Re:` and its subject when left out.' })),
  ),
});

export const Replied = Type.Object(
  {
    success: Type.Literal(true),
    jobId: Type.String({ format: 'uuid' }),
    emailId: Type.String({ format: 'uuid' }),
    status: Type.Enum(['queued', 'suppressed']),
    threadId: Type.String({ format: 'uuid' }),
  },
  { title: 'InboundReplied', additionalProperties: false },
);

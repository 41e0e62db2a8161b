import { Type } from 'typebox';
import { Count, Instant, nullable } from '#platform/records/wire-types.ts';

/** The fields of a recipient of an issue or a broadcast, behind the id of the subscriber or the contact. */
export const recipientFields = {
  email_id: Type.String({ format: 'uuid', examples: ['0197f3e0-1c2d-7abc-8def-0123456789ab'] }),
  email: Type.String({ examples: ['ada@example.com'] }),
  status: Type.String({ examples: ['delivered'] }),
  message_id: nullable(Type.String()),
  last_event_at: nullable(Instant),
  error: nullable(Type.String({ description: 'The answer of the provider, or why it was not sent.' })),
  open_count: Count,
  click_count: Count,
  content_version: nullable(
    Type.Integer({ minimum: 1, description: 'Of what they were or will be sent. null: they get nothing.' }),
  ),
};

import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { nullable } from '#platform/records/wire-types.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });

export const SessionsQuery = Type.Object({
  ...pageQuery,
  outcome: Type.Optional(
    Type.Enum(['accepted', 'refused'], {
      description: '`refused`: at least one command was refused. `accepted`: none was.',
    }),
  ),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Started at this time or later.' })),
});

const SessionRefusal = Type.Object(
  {
    at: time,
    stage: Type.Enum(['AUTH', 'MAIL', 'RCPT', 'DATA'], { description: 'The command that was refused.' }),
    code: Type.Integer({ examples: [550] }),
    status: Type.String({ description: 'Of RFC 3463.', examples: ['5.7.1'] }),
    text: Type.String({ examples: ['The domain acme.example is not verified for sending in this workspace.'] }),
  },
  { title: 'RelayRefusal', additionalProperties: false },
);

export const RelaySession = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    outcome: Type.Enum(['accepted', 'refused']),
    started_at: Type.String({ format: 'date-time', description: 'When it signed in, or was refused to.' }),
    ended_at: nullable(time),
    ip: text,
    tls: Type.Union([text, Type.Null()], { description: 'null: without encryption.', examples: ['TLSv1.3'] }),
    client_name: Type.Union([text, Type.Null()], { description: 'The name in its EHLO.', examples: ['web-1'] }),
    api_key: Type.Object({ id: Type.String({ format: 'uuid' }), name: text }, { additionalProperties: false }),
    accepted: Type.Integer({ description: 'Messages that were accepted.' }),
    refused: Type.Integer({ description: 'Commands that were refused.' }),
    refusals: Type.Array(SessionRefusal, { description: 'The first 20.' }),
    job_ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'Jobs of the last 20 messages.' }),
  },
  { title: 'RelaySession', additionalProperties: false },
);

export const WrongLogins = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          ip: Type.String({ description: 'IPv6: the last address of its /64.', examples: ['203.0.113.7'] }),
          attempts: Type.Integer(),
          first_at: time,
          last_at: time,
        },
        { title: 'RelayWrongLogin', additionalProperties: false },
      ),
    ),
  },
  { title: 'RelayWrongLogins', additionalProperties: false },
);

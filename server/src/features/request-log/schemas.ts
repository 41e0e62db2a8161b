import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { nullable } from '#platform/records/wire-types.ts';

const id = Type.String({ format: 'uuid' });
const text = Type.String();

export const RequestsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Type.String({
      pattern: '^[2-5](xx|[0-9]{2})$',
      'x-says': 'must be a status such as 422, or a class such as 4xx',
      description: 'A status (`422`), or a class of statuses (`4xx`).',
      examples: ['4xx'],
    }),
  ),
  method: Type.Optional(Type.Enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])),
  route: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A path of this reference, with its `{}`: `/v1/emails/{id}`.',
    }),
  ),
  api_key_id: Type.Optional(Type.String({ format: 'uuid', description: 'Made with this key.' })),
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Made by this person.' })),
  request_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The `X-Request-ID` of the answer, or `requestId` of an error.',
    }),
  ),
  mentions: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'An address or the id of a record that stands in the request or its answer.',
      examples: ['ada@example.com'],
    }),
  ),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the path, in any case.' })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'From this time on.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time.' })),
});

const summary = {
  id,
  at: Type.String({ format: 'date-time', description: 'When the request came.' }),
  request_id: Type.String({ examples: ['req_0f7c2a9d4e1b4c6f8a3d5e7f9b1c3d5e'] }),
  method: text,
  route: Type.String({ examples: ['/v1/emails/{id}'] }),
  path: text,
  query: nullable(text),
  status: Type.Integer(),
  error: Type.Union([text, Type.Null()], { description: 'Name of the error.', examples: ['validation_error'] }),
  duration_ms: Type.Number(),
  actor: Type.Object(
    {
      type: Type.String({ description: 'api_key or user.', examples: ['api_key'] }),
      id: nullable(text),
      name: Type.Union([text, Type.Null()], { description: 'Name of the key, or address of the person.' }),
    },
    { additionalProperties: false },
  ),
  ip: text,
  user_agent: nullable(text),
};

export const LoggedRequestSummary = Type.Object(summary, {
  title: 'LoggedRequestSummary',
  additionalProperties: false,
});

export const LoggedRequest = Type.Object(
  {
    ...summary,
    request_body: Type.Unknown({
      description: 'Without secrets, texts and files of mail; long parts are cut. null: it had none.',
    }),
    response_body: Type.Unknown({ description: 'The same for the answer. null for a read that went well.' }),
    job_ids: Type.Array(id, { description: 'Jobs that the request made.' }),
    email_ids: Type.Array(id, { description: 'Emails that the request made, the first 100.' }),
    erased: Type.Boolean({ description: 'It named a person who was erased: path, query and bodies are removed.' }),
  },
  { title: 'LoggedRequest', additionalProperties: false },
);

export const RequestParams = Type.Object({ id: text });

import { EMAIL } from './email.ts';
import type { Mistake } from './mistake.ts';

export const REQUESTS: readonly Mistake[] = [
  {
    what: 'No API key',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { authorization: '' } },
    answer: {
      status: 401,
      name: 'authentication_error',
      message: 'Give your API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".',
    },
  },
  {
    what: 'A key that does not exist',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { authorization: 'Bearer ph_live_wrong' } },
    answer: { status: 401, name: 'authentication_error', message: 'The API key is not valid.' },
  },
  {
    what: 'The key of another service',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { authorization: 'Bearer re_123456789' } },
    answer: { status: 401, name: 'authentication_error', message: 'The API key is not valid.' },
  },
  {
    what: 'A key without `Bearer`',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { authorization: '{key}' } },
    answer: {
      status: 401,
      name: 'authentication_error',
      message: 'The Authorization header must be "Bearer" and an API key or a dashboard token.',
    },
  },
  {
    what: 'A key in quotation marks',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { authorization: 'Bearer "{key}"' } },
    answer: { status: 401, name: 'authentication_error', message: 'The API key is not valid.' },
  },
  {
    what: 'A key as password of Basic',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { authorization: 'Basic YXBpOmtleQ==' } },
    answer: {
      status: 401,
      name: 'authentication_error',
      message: 'The Authorization header must be "Bearer" and an API key or a dashboard token.',
    },
  },
  {
    what: 'A key in the URL',
    request: { url: '/v1/send?api_key={key}', body: { ...EMAIL }, headers: { authorization: '' } },
    answer: {
      status: 401,
      name: 'authentication_error',
      message: 'Give your API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".',
    },
  },
  {
    what: 'Two keys that differ',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { 'x-api-key': 'ph_live_other' } },
    answer: {
      status: 401,
      name: 'authentication_error',
      message: 'Authorization and X-API-Key name two different credentials. Send one of them.',
    },
  },
  {
    what: 'A key without the scope',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { authorization: 'Bearer {readKey}' } },
    answer: { status: 403, name: 'permission_error', message: 'This key needs the scope "emails:send".' },
  },
  {
    what: 'An API key where a signed-in person is needed',
    request: { url: '/auth/me' },
    answer: {
      status: 401,
      name: 'authentication_error',
      message: 'This endpoint takes a dashboard token, not an API key.',
    },
  },
  {
    what: 'GET where POST is meant',
    request: { url: '/v1/send' },
    answer: { status: 405, name: 'request_error', message: 'GET is not available here. Use POST.' },
  },
  {
    what: 'PUT where PATCH is meant',
    request: { method: 'PUT', url: '/v1/newsletters/{newsletter}', body: { name: 'Monthly' } },
    answer: { status: 405, name: 'request_error', message: 'PUT is not available here. Use GET, PATCH, or DELETE.' },
  },
  {
    what: 'The path of Resend',
    request: { url: '/emails', body: { ...EMAIL } },
    answer: {
      status: 404,
      name: 'not_found_error',
      message: 'There is nothing at this path. Did you mean POST /v1/send?',
    },
  },
  {
    what: 'The path of Postmark',
    request: { url: '/email', body: { ...EMAIL } },
    answer: {
      status: 404,
      name: 'not_found_error',
      message: 'There is nothing at this path. Did you mean POST /v1/send?',
    },
  },
  {
    what: 'The list of emails as the place to send',
    request: { url: '/v1/emails', body: { ...EMAIL } },
    answer: {
      status: 405,
      name: 'request_error',
      message: 'POST is not available here. Use GET. Did you mean POST /v1/send?',
    },
  },
  {
    what: 'A path in capital letters',
    request: { url: '/V1/SEND', body: { ...EMAIL } },
    answer: { status: 404, name: 'not_found_error', message: 'There is nothing at this path. Did you mean /v1/send?' },
  },
  {
    what: 'No content type',
    request: {
      url: '/v1/send',
      body: '{"from":"hello@posthorn.test","to":"ada@example.com","subject":"Hello","text":"Hi"}',
      headers: { 'content-type': '' },
    },
    answer: { status: 415, name: 'request_error', message: 'The content type must be application/json in UTF-8.' },
  },
  {
    what: 'A form instead of JSON',
    request: {
      url: '/v1/send',
      body: 'to=ada%40example.com',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    answer: { status: 415, name: 'request_error', message: 'The content type must be application/json in UTF-8.' },
  },
  {
    what: 'JSON sent as plain text',
    request: {
      url: '/v1/send',
      body: '{"from":"hello@posthorn.test","to":"ada@example.com","subject":"Hello","text":"Hi"}',
      headers: { 'content-type': 'text/plain' },
    },
    answer: { status: 415, name: 'request_error', message: 'The content type must be application/json in UTF-8.' },
  },
  {
    what: 'No body',
    request: { method: 'POST', url: '/v1/send' },
    answer: { status: 400, name: 'validation_error', message: 'The body must be a JSON object.' },
  },
  {
    what: 'Single quotes',
    request: { url: '/v1/send', body: "{'to':'ada@example.com'}" },
    answer: {
      status: 400,
      name: 'validation_error',
      message: "The body is not valid JSON: Expected property name or '}'.",
    },
  },
  {
    what: 'A comma after the last field',
    request: { url: '/v1/send', body: '{"to":"ada@example.com",}' },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'The body is not valid JSON: Expected double-quoted property name.',
    },
  },
  {
    what: 'A body that was cut',
    request: { url: '/v1/send', body: '{"to":"ada@example.com"' },
    answer: {
      status: 400,
      name: 'validation_error',
      message: "The body is not valid JSON: Expected ',' or '}' after property value.",
    },
  },
  {
    what: 'JSON within JSON',
    request: { url: '/v1/send', body: '"{\\"to\\":\\"x\\"}"' },
    answer: { status: 400, name: 'validation_error', message: 'The body must be a JSON object.' },
  },
  {
    what: 'An array for one email',
    request: { url: '/v1/send', body: [{ ...EMAIL }] },
    answer: { status: 400, name: 'validation_error', message: 'The body must be a JSON object.' },
  },
  {
    what: '`null` as the body',
    request: { url: '/v1/send', body: 'null' },
    answer: { status: 400, name: 'validation_error', message: 'The body must be a JSON object.' },
  },
  {
    what: 'A field that stands twice',
    request: { url: '/v1/send', body: '{"to":"ada@example.com","to":"bob@example.com"}' },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'The body is JSON that Posthorn does not accept: the key "to" stands twice in one object.',
    },
  },
  {
    what: 'A compressed body',
    request: { url: '/v1/send', body: 'x', headers: { 'content-encoding': 'gzip' } },
    answer: { status: 415, name: 'request_error', message: 'Compressed bodies are not accepted.' },
  },
  {
    what: 'An Idempotency-Key with a space',
    request: { url: '/v1/send', body: { ...EMAIL }, headers: { 'idempotency-key': 'order 42' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'Idempotency-Key must be 1 to 256 printable ASCII characters without spaces, given once',
      param: 'Idempotency-Key',
    },
  },
  {
    what: 'An Idempotency-Key with a dry run',
    request: { url: '/v1/send?dryRun=true', body: { ...EMAIL }, headers: { 'idempotency-key': 'order-42' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'Idempotency-Key cannot be combined with dryRun, which does nothing that could be repeated.',
      param: 'Idempotency-Key',
    },
  },
  {
    what: 'An Idempotency-Key again, with another body',
    request: { url: '/v1/send', body: { ...EMAIL, subject: 'Another' }, headers: { 'idempotency-key': '{usedKey}' } },
    answer: {
      status: 409,
      name: 'conflict_error',
      message: 'This Idempotency-Key was used with another body. Use a new key for a new request.',
      param: 'Idempotency-Key',
    },
  },
  {
    what: 'An id that is none',
    request: { url: '/v1/emails/42' },
    answer: { status: 404, name: 'not_found_error', message: 'No email with id 42.' },
  },
  {
    what: 'An id that does not exist',
    request: { url: '/v1/emails/01999999-aaaa-7000-8000-000000000001' },
    answer: { status: 404, name: 'not_found_error', message: 'No email with id 01999999-aaaa-7000-8000-000000000001.' },
  },
];

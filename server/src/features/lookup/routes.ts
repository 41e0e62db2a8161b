import { type Route, route } from '#platform/http/route.ts';
import { findRecord } from './find-record.ts';
import { SCOPES_OF_KINDS } from './kinds.ts';
import { NamedRecord, RecordParams } from './schemas.ts';

const [scope = '', ...orScope] = SCOPES_OF_KINDS;

export const lookupRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/records/:id',
    id: 'get_record',
    tag: 'Workspaces',
    summary: 'Find the record that an id names',
    description:
      'The kind and the name of the record with this id, and the record that it belongs to. Needs a scope that reads ' +
      'records. A record that the caller could not read by itself is 404, like an id that is unknown.',
    access: { scope, orScope },
    params: RecordParams,
    response: NamedRecord,
    errors: [404],
    example: {},
    handler: (ctx, { params }) => findRecord(ctx, params.id),
  }),
];

import { type Route, route } from '#platform/http/route.ts';
import { findRecord } from './find-record.ts';
import { SCOPES_OF_KINDS } from './kinds.ts';
import { NamedRecord, NamedRecords, RecordParams, RecordsQuery } from './schemas.ts';
import { searchRecords } from './search-records.ts';

const [scope = '', ...orScope] = SCOPES_OF_KINDS;

export const lookupRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/records',
    id: 'search_records',
    tag: 'Workspaces',
    summary: 'Find records by an address or a name',
    description:
      'The records of all kinds that an address or a part of a name finds, with what their paths need. Needs a scope ' +
      'that reads records; those of other kinds, and those that the caller could not read by themselves, are left ' +
      'out. To go through a long list, read the list of that kind. Emails are found by `GET /v1/emails`.',
    access: { scope, orScope },
    query: RecordsQuery,
    response: NamedRecords,
    example: { query: { search: 'ada@example.com' } },
    handler: (ctx, { query }) => searchRecords(ctx, query.search),
  }),
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

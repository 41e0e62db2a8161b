import { Type } from 'typebox';
import type { Db } from '#platform/db/database.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import { type Route, route } from '#platform/http/route.ts';
import { findHomeWorkspaceId } from '../instance/queries.ts';
import type { Report } from './doctor.ts';

const Check = Type.Object(
  {
    id: Type.String({
      description: 'The name of the check. docs/doctor.md describes each.',
      examples: ['credentials'],
    }),
    status: Type.Union([Type.Literal('ok'), Type.Literal('warning'), Type.Literal('error'), Type.Literal('skipped')]),
    message: Type.String({ description: 'The finding.', examples: ['AWS knows the credentials.'] }),
    cause: Type.Union([Type.String(), Type.Null()], { description: 'Why, for a warning or an error.' }),
    fix: Type.Union([Type.String(), Type.Null()], { description: 'The remedy.' }),
  },
  { title: 'ProviderFinding', additionalProperties: false },
);

const ProviderCheck = Type.Object(
  {
    provider: Type.Union([Type.Literal('ses'), Type.Literal('smtp'), Type.Literal('capture')]),
    ok: Type.Boolean({ description: 'No check found an error. There may be warnings.' }),
    checks: Type.Array(Check),
    account: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The account with the provider, as far as it is known.',
      examples: [{ region: 'us-east-1', max_send_rate: 14, production_access: true }],
    }),
  },
  { title: 'ProviderCheck', additionalProperties: false },
);

interface DoctorRoutesDeps {
  db: Db;
  examine(): Promise<Report>;
}

/** The account with the provider is the operator's, so only the workspace of the operator may look at it. */
export const doctorRoutes = ({ db, examine }: DoctorRoutesDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v1/provider/check',
    id: 'check_provider',
    tag: 'Operations',
    summary: 'Find faults that stop mail or its events',
    description:
      'Asks the provider about the account and its configuration, and checks each step up to the last event ' +
      'that was received. It changes and sends nothing, and can take some seconds. Only for the workspace of ' +
      'the first start, with full access. The same checks as `npm start -- doctor`.',
    access: { scope: '*' },
    response: ProviderCheck,
    async handler(ctx) {
      const home = await findHomeWorkspaceId(db);
      if (ctx.workspaceId !== home) throw forbidden('Only the workspace of the operator may look at the provider.');
      return await examine();
    },
  }),
];

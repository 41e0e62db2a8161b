import { Type } from 'typebox';
import type { Db } from '#platform/db/database.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import { type Route, route } from '#platform/http/route.ts';
import { findHomeWorkspaceId } from '../instance/queries.ts';
import type { Report } from './doctor.ts';

const Check = Type.Object(
  {
    id: Type.String({ description: 'Which check: see docs/doctor.md.', examples: ['credentials'] }),
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
    ok: Type.Boolean({ description: 'No check found an error. Warnings may stand.' }),
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
    summary: 'Look for what keeps mail or its events from arriving',
    description:
      'Asks the provider about account and set-up and looks at everything up to the last event that was received; ' +
      'changes and sends nothing. May take some seconds. Only for the workspace of the first start, with full access. ' +
      'The same as `npm start -- doctor`.',
    access: { scope: '*' },
    response: ProviderCheck,
    async handler(ctx) {
      const home = await findHomeWorkspaceId(db);
      if (ctx.workspaceId !== home) throw forbidden('Only the workspace of the operator may look at the provider.');
      return await examine();
    },
  }),
];

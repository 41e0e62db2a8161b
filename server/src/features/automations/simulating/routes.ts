import { readAddress } from '#mail/addresses/read-address.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import { type Route, route } from '#platform/http/route.ts';
import { AutomationParams } from '../schemas.ts';
import * as schemas from './schemas.ts';
import { simulate } from './simulate.ts';

export const simulationRoutes: readonly Route[] = [
  route({
    tag: 'Automations',
    params: AutomationParams,
    path: '/v1/automations/:id/simulate',
    method: 'POST',
    id: 'simulate_automation',
    summary: 'Simulate a run',
    description:
      'The steps with their times, the branches and the rendered emails of a run that begins at `at` and hears these ' +
      'events, by the code that runs use. The facts of the person are those of now. Nothing is written or sent.',
    access: { scope: 'automations:write' },
    body: {
      json: schemas.SimulateBody,
      read: readEach<typeof schemas.SimulateBody>({ email: (email) => readAddress(email) }),
    },
    example: {
      body: { email: 'ada@example.com', events: [{ at: '2026-12-02T09:00:00Z', name: 'order.paid' }] },
    },
    response: schemas.Simulated,
    errors: [404, 422],
    handler: (ctx, { params, body }) => simulate(ctx, params.id, body),
  }),
];

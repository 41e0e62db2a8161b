import { Type } from 'typebox';
import { type Route, route } from '#platform/http/route.ts';
import { countedView } from '../audience/count-broadcast.ts';
import { getBroadcast } from '../get-broadcast.ts';
import { AudienceCounted, BroadcastParams } from '../schemas.ts';
import { checkBroadcast } from './check-broadcast.ts';

const CheckAnswer = Type.Object(
  {
    ok: Type.Boolean({ description: 'No check has the level `error`.' }),
    checks: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['postal_address'] }),
          level: Type.Enum(['ok', 'warning', 'error']),
          message: Type.String({ examples: ['The footer shows a postal address.'] }),
        },
        { title: 'BroadcastFinding', additionalProperties: false },
      ),
    ),
    audience: AudienceCounted,
  },
  { title: 'BroadcastChecked', additionalProperties: false },
);

export const broadcastContentRoutes: Route[] = [
  route({
    tag: 'Broadcasts',
    params: BroadcastParams,
    method: 'POST',
    path: '/broadcasts/:id/check',
    aliases: ['/v1/broadcasts/:id/check'],
    id: 'check_broadcast',
    summary: 'Check a broadcast before it is sent',
    description:
      'Lists faults that prevent sending (`error`), faults that cause trouble in mail programs and filters or for ' +
      'readers (`warning`, such as a footer without a postal address), and who would get it now. Changes nothing.',
    access: { scope: 'broadcasts:read' },
    response: CheckAnswer,
    errors: [404, 422],
    handler: async (ctx, { params }) => {
      const { ok, checks, audience } = await checkBroadcast(ctx, await getBroadcast(ctx, params.id));
      return { ok, checks, audience: countedView(audience) };
    },
  }),
];

import { Type } from 'typebox';
import { createStuckLook } from '#features/automations';
import { listWorkers, queue as mailQueue } from '#features/outbox';
import { deliveryBacklogSeconds } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import { unavailable } from '#platform/errors/app-error.ts';
import { errorAnswer } from '#platform/http/error-envelope.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { VERSION } from '../version.ts';

const Health = Type.Object(
  {
    status: Type.Literal('ok'),
    database: Type.Literal('ok'),
    queue: Type.Object({ depth: Type.Integer(), oldest_due_seconds: Type.Integer() }),
    workers: Type.Array(
      Type.Object({ id: Type.String(), role: Type.String(), last_seen_at: Type.String({ format: 'date-time' }) }),
    ),
    sending: Type.Enum(['on', 'held'], {
      description: '`held`: nothing leaves until an operator confirms, after a restore or a copy of the database.',
    }),
    version: Type.String(),
  },
  { title: 'Health', additionalProperties: false },
);

/** An error like every other, with what a monitor reads beside it. */
const Unhealthy = Type.Object(
  {
    statusCode: Type.Integer(),
    name: Type.String(),
    message: Type.String(),
    requestId: Type.String(),
    documentation: Type.String(),
    status: Type.Literal('unavailable'),
    database: Type.Literal('unavailable'),
    version: Type.String(),
  },
  { title: 'Unhealthy', additionalProperties: false },
);

interface HealthDeps {
  /** A connection of its own: a busy pool must not make a living process look dead. */
  db: Db;
  log: Log;
  metrics: Metrics;
}

/** The endpoints for operators and load balancers; nothing of any workspace in it. */
export function healthRoutes({ db, log, metrics }: HealthDeps): Route[] {
  const look = sharedLook(db);
  const health = route({
    method: 'GET',
    path: '/health',
    id: 'get_health',
    tag: 'Operations',
    summary: 'Check that the service works',
    description: '503 when the database cannot be reached.',
    access: 'public',
    response: Health,
    otherResponses: { 503: Unhealthy },
    async handler(ctx) {
      try {
        const { queue, workers, hold } = await look();
        return {
          status: 'ok',
          database: 'ok',
          queue: { depth: queue.depth, oldest_due_seconds: queue.oldestDueSeconds },
          workers: workers.map((worker) => ({
            id: worker.id,
            role: worker.roles.join(','),
            last_seen_at: worker.lastSeenAt.toISOString(),
          })),
          sending: hold === undefined ? 'on' : 'held',
          version: VERSION,
        };
      } catch (error) {
        log.warn({ err: error }, 'health: the database cannot be reached');
        const lost = unavailable('The database cannot be reached just now.');
        const { status, body, headers } = errorAnswer(lost, ctx.requestId, `${ctx.settings.publicUrl}/docs`);
        const more = { status: 'unavailable', database: 'unavailable', version: VERSION };
        return answer({ ...body, ...more }, { status, headers });
      }
    },
  });
  const countStuck = createStuckLook();
  const scrape = route({
    method: 'GET',
    path: '/metrics',
    id: 'get_metrics',
    tag: 'Operations',
    summary: 'Metrics for Prometheus',
    access: 'public',
    response: { file: metrics.registry.contentType },
    async handler() {
      const queue = await mailQueue.health(db).catch(() => undefined); // the process's own metrics are worth having alone
      if (queue !== undefined) {
        metrics.queueDepth.set(queue.depth);
        metrics.oldestDueSeconds.set(queue.oldestDueSeconds);
      }
      const due = await deliveryBacklogSeconds(db).catch(() => undefined);
      if (due !== undefined) metrics.webhookOldestDueSeconds.set(due);
      const stuck = await countStuck(db).catch(() => undefined);
      if (stuck !== undefined) metrics.automationRunsStuck.set(stuck);
      return metrics.registry.metrics();
    },
  });
  return [health, scrape];
}

interface Look {
  queue: Awaited<ReturnType<typeof mailQueue.health>>;
  workers: Awaited<ReturnType<typeof listWorkers>>;
  hold: Awaited<ReturnType<typeof mailQueue.hold.find>>;
}

/**
 * Requests at the same moment share one look at the database. Anyone may ask, and each would wait for the one
 * connection: 500 at once had 503 for most, and a load balancer would have taken a living process out.
 */
function sharedLook(db: Db): () => Promise<Look> {
  let looking: Promise<Look> | undefined;
  const look = async (): Promise<Look> => ({
    queue: await mailQueue.health(db),
    workers: await listWorkers(db),
    hold: await mailQueue.hold.find(db),
  });
  return () => {
    looking ??= look().finally(() => (looking = undefined));
    return looking;
  };
}

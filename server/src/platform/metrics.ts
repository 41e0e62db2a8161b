import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The process's Prometheus metrics. One registry a process; names follow the `posthorn_` prefix. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram;
  readonly handOffs: Counter;
  readonly notifications: Counter;
  readonly policyRefusals: Counter;
  readonly requestLogDropped: Counter;
  readonly webhookAttempts: Counter;
  readonly webhookOldestDueSeconds: Gauge;
  readonly automationRunsStuck: Gauge;
  readonly queueDepth: Gauge;
  readonly oldestDueSeconds: Gauge;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'posthorn_http_request_duration_seconds',
      help: 'Time to answer, by route pattern and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    handOffs: new Counter({
      name: 'posthorn_hand_offs_total',
      help: 'Hand-offs to the provider by outcome: accepted, refused, temporary, unknown.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    notifications: new Counter({
      name: 'posthorn_provider_notifications_total',
      help: 'Notifications of providers by source and outcome: applied, unmatched, ignored, malformed.',
      labelNames: ['source', 'outcome'],
      registers: [registry],
    }),
    policyRefusals: new Counter({
      name: 'posthorn_policy_refusals_total',
      help: 'Emails that receivers refused because of their sender: reputation, authentication, block lists, rate, content.',
      registers: [registry],
    }),
    requestLogDropped: new Counter({
      name: 'posthorn_request_log_dropped_total',
      help: 'Requests that the log of requests does not have: rate (too many of a workspace), full, failed.',
      labelNames: ['reason'],
      registers: [registry],
    }),
    webhookAttempts: new Counter({
      name: 'posthorn_webhook_attempts_total',
      help: 'Webhook attempts by outcome: succeeded, failed, given_up (the last one failed), blocked; discarded deliveries.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    webhookOldestDueSeconds: new Gauge({
      name: 'posthorn_webhook_oldest_due_seconds',
      help: 'Age of the webhook delivery that has been due longest.',
      registers: [registry],
    }),
    ...gauges(registry),
  };
}

const gauges = (registry: Registry) => ({
  automationRunsStuck: new Gauge({
    name: 'posthorn_automation_runs_stuck',
    help: 'Active runs of automations that are not due, await no event and are not held. Always 0.',
    registers: [registry],
  }),
  queueDepth: new Gauge({
    name: 'posthorn_queue_depth',
    help: 'Emails waiting in the queue (counted up to 100,000).',
    registers: [registry],
  }),
  oldestDueSeconds: new Gauge({
    name: 'posthorn_queue_oldest_due_seconds',
    help: 'Seconds since the email at the head of a lane entered the queue, the longest.',
    registers: [registry],
  }),
});

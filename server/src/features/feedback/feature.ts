import { bulkSends, sendResumed } from '#features/outbox';
import type { SendSystemMail } from '#features/workspaces';
import { type Reaction, reactionTo } from '#platform/announcements.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { FindDestination } from '#platform/smtp/mail-destination.ts';
import { bounceDestination } from './bounces/bounce-destination.ts';
import { createReadBounceMail } from './bounces/read-bounce-mail.ts';
import { createEngagementRecorder } from './engagement/record-engagement.ts';
import { engagementRoutes } from './engagement/routes.ts';
import { forgetBulkHealth } from './suppressing/forget-bulk-health.ts';
import { createPausedMail } from './suppressing/paused-mail.ts';
import { createRefusedMail } from './suppressing/refused-mail.ts';
import { feedbackService } from './feedback-service.ts';
import { forgetOldService } from './forget-old.ts';
import { readSesNotification } from './notifications/read-ses-notification.ts';
import { createSnsReceiver } from './notifications/sns/receive-sns-message.ts';
import { createSigningCertificates } from './notifications/sns/signing-certificates.ts';
import { feedbackRoutes } from './routes.ts';

export interface FeedbackWiring {
  db: Db;
  /** For the services of a worker. */
  workerDb: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  safeFetch: SafeFetch;
  metrics: Metrics;
  sendSystemMail: SendSystemMail;
}

export interface FeedbackFeature {
  name: 'feedback';
  routes: Route[];
  reactions: Reaction[];
  /** The services of the worker, of the API, and of the SMTP listener (where bounce messages arrive). */
  services: { ofWorker: Service[]; ofApi: Service[] };
  /** Where bounce messages and feedback reports arrive. */
  mailDestination: FindDestination;
}

export function createFeedbackFeature(wiring: FeedbackWiring): FeedbackFeature {
  const { db, workerDb, clock, log, settings, secrets, safeFetch, metrics } = wiring;
  const certHost = settings.snsCertHost;
  const receive = createSnsReceiver({
    db,
    clock,
    log,
    safeFetch,
    topicArns: settings.sesTopicArns,
    certHost,
    certificates: createSigningCertificates({ safeFetch, clock, mustBeAmazons: certHost === null }),
  });
  const recorder = createEngagementRecorder({ db, clock, log });
  const work = {
    db: workerDb,
    clock,
    log,
    readers: { ses: readSesNotification, mail: createReadBounceMail(secrets.key('return path')) },
    pausedMail: createPausedMail(wiring),
    tellRefused: createRefusedMail({ ...wiring, db: workerDb }),
    onRefused: (count: number) => metrics.policyRefusals.inc(count),
    onOutcome: (source: string, outcome: string) => metrics.notifications.inc({ source, outcome }),
  };
  return {
    name: 'feedback',
    reactions: [reactionTo(sendResumed, forgetBulkHealth)],
    routes: [
      ...feedbackRoutes(receive),
      ...engagementRoutes({
        key: wiring.secrets.key('tracking'),
        recorder,
        redirects: bulkSends.createLinkRedirects({ db, clock, log }),
      }),
    ],
    services: {
      ofWorker: [feedbackService(work), forgetOldService({ db: workerDb, log, clock })],
      ofApi: [recorder],
    },
    mailDestination: bounceDestination(wiring),
  };
}

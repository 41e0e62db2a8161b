import type { DkimKey } from '#mail/dkim.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { ResolveRecords } from '#platform/dns/resolve-records.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { tallyService } from '#platform/tally/fold-tally.ts';
import type { Audience } from './bulk/audience.ts';
import { bulkServices } from './bulk/release/release-service.ts';
import { countsTally } from './counting/email-counts-queries.ts';
import { courseTally } from './counting/course-queries.ts';
import { linkTally } from './counting/link-counts-queries.ts';
import { lookUpMailboxesService } from './counting/look-up-mailboxes.ts';
import { mergeOldCountsService } from './counting/merge-old-counts.ts';
import { putInEighthsService } from './counting/put-in-eighths.ts';
import { gateService } from './gates/settle-gate.ts';
import { createContentStore } from './compose/content-store.ts';
import type { Providers } from './worker/hand-off.ts';
import type { Tracking } from './compose/content-tracking.ts';
import { createPurger, type PurgePage } from './purge-workspace.ts';
import { retentionService } from './retention/retention.ts';
import { Sweeper } from './worker/sweeper.ts';
import { Worker } from './worker/worker.ts';

export interface OutboxServicesOptions {
  db: Db;
  /** These are started before, and stopped after, the services of the outbox. */
  providers: Providers;
  settings: Pick<
    Settings,
    'sendRate' | 'leaseSeconds' | 'unconfirmedSeconds' | 'stopSeconds' | 'retentionDays' | 'clientDataDays'
  >;
  clock: Clock;
  log: Log;
  tracking: Tracking;
  /** For the MX of recipients; null: mail goes nowhere, and nobody is asked. */
  resolve: ResolveRecords | null;
  /** The audiences that bulk sends go to, one for each kind. */
  audiences: readonly Audience[];
  /** They remove the rows of a deleted workspace that features above this one have. */
  alsoPurge?: readonly PurgePage[];
  /** null: the domain has no key, or the provider signs its mail. */
  loadDkimKey(workspaceId: string, domain: string): Promise<DkimKey | null>;
  /** Where the provider knows the domain; null: anywhere. */
  regionOf?: ((workspaceId: string, domain: string) => Promise<string | null>) | undefined;
  /** The address that receives the bounces of an email. Left out: the address in its From. */
  returnPath?: ((email: { workspaceId: string; emailId: string }) => string) | undefined;
}

/** Each settled page adds a row for each quarter and kind of mail in it. */
const FOLD_EVERY_MS = 1_000;

/** The services of a process with the worker role. Any number of processes may share a database. */
export function outboxServices(options: OutboxServicesOptions): Service[] {
  const { db, log, clock, settings, audiences } = options;
  return [
    ...bulkServices({ db, log, clock, audiences, ratePerSecond: settings.sendRate }),
    tallyService(countsTally, {
      db,
      clock,
      log,
      name: 'counts of emails',
      everyMs: FOLD_EVERY_MS,
      failure: 'counts of emails are not folded; trying again',
    }),
    tallyService(linkTally, {
      db,
      clock,
      log,
      name: 'counts of links',
      everyMs: FOLD_EVERY_MS,
      failure: 'clicks by link are not folded; trying again',
    }),
    tallyService(courseTally, {
      db,
      clock,
      log,
      name: 'courses of sends',
      everyMs: FOLD_EVERY_MS,
      failure: 'opens and clicks over time are not folded; trying again',
    }),
    mergeOldCountsService({ db, log, clock, settings }),
    putInEighthsService({ db, log, clock }),
    ...(options.resolve === null ? [] : [lookUpMailboxesService({ db, log, clock, resolve: options.resolve })]),
    gateService({ db, log, clock }),
    createPurger({ db, log, clock, alsoPurge: options.alsoPurge }),
    retentionService({ db, log, clock, settings }),
    new Sweeper({
      db,
      log,
      clock,
      unconfirmedSeconds: settings.unconfirmedSeconds,
      leaseSeconds: settings.leaseSeconds,
    }),
    new Worker({
      ...options,
      contents: createContentStore({ db, tracking: options.tracking, audiences }),
      ratePerSecond: settings.sendRate,
      leaseSeconds: settings.leaseSeconds,
      stopSeconds: settings.stopSeconds,
    }),
  ];
}

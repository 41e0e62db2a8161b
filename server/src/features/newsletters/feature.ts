import { burstsJudged, emailsEngaged } from '#features/feedback';
import { suppressionsAdded } from '#features/suppressions';
import { type Audience, bulkSends } from '#features/outbox';
import { type Reaction, reactionTo } from '#platform/announcements.ts';
import type { TransferTarget } from '#features/transfers';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { FindDestination } from '#platform/smtp/mail-destination.ts';
import { tallyService } from '#platform/tally/fold-tally.ts';
import { subscribersUnsubscribed } from './announcements.ts';
import { growthTally } from './growth/growth-queries.ts';
import { growthRoutes } from './growth/routes.ts';
import { subscriberTally } from './counts/counts-queries.ts';
import { issueContentRoutes } from './issues/content/routes.ts';
import { subscriberAudience } from './issues/fan-out/subscriber-audience.ts';
import { reactionsToSends } from './issues/sending/reactions.ts';
import { issueReadingRoutes } from './issues/reading/routes.ts';
import { issueRoutes } from './issues/routes.ts';
import { issueServices } from './issues/sending/services.ts';
import { purgeService } from './removal/purge-newsletters.ts';
import { removalRoutes } from './removal/routes.ts';
import { wordsService } from './public/indexing/note-words.ts';
import { createNewLinks } from './public/links/send-new-links.ts';
import { publicRoutes } from './public/routes.ts';
import { pageRoutes } from './public/pages/routes.ts';
import { newsletterRoutes } from './routes.ts';
import { noteEngagement } from './subscribers/engagement-queries.ts';
import { subscriberRoutes } from './subscribers/routes.ts';
import { subscriberServices } from './subscribers/services.ts';
import { undoBursts } from './subscribers/leaving/undo-bursts.ts';
import { unsubscribeSuppressed } from './subscribers/leaving/unsubscribe-suppressed.ts';
import { subscriberExports } from './subscribers/transfer/export/export-source.ts';
import { subscriberImports } from './subscribers/transfer/import/import-target.ts';
import { transferRoutes } from './subscribers/transfer/routes.ts';
import { leavingDestination } from './subscribers/leaving/leave-by-mail.ts';
import type { NewslettersWiring } from './wiring.ts';

export interface NewslettersFeature {
  name: 'newsletters';
  routes: Route[];
  reactions: Reaction[];
  services: { ofWorker: Service[]; ofApi: Service[] };
  /** For the outbox: the active subscribers of a newsletter. */
  audience: Audience;
  /** Where requests to leave arrive by mail. */
  mailDestination: FindDestination;
  /** For transfers: files of subscribers, both ways. */
  transferTarget: TransferTarget;
}

export function createNewslettersFeature(wiring: NewslettersWiring): NewslettersFeature {
  const newLinks = createNewLinks(wiring);
  return {
    name: 'newsletters',
    reactions: [
      reactionTo(suppressionsAdded, unsubscribeSuppressed(wiring.secrets)),
      reactionTo(emailsEngaged, noteEngagement),
      reactionTo(burstsJudged, undoBursts(wiring)),
      // Settles the waiting emails of a person who left. Every process that ends subscriptions needs it.
      reactionTo(subscribersUnsubscribed, bulkSends.stopUnsubscribed),
      ...reactionsToSends(wiring),
    ],
    audience: subscriberAudience(wiring),
    mailDestination: leavingDestination(wiring),
    transferTarget: { type: 'newsletter', imports: subscriberImports(wiring), exports: subscriberExports },
    routes: [
      ...newsletterRoutes(wiring),
      ...removalRoutes,
      ...growthRoutes,
      ...subscriberRoutes(wiring),
      ...transferRoutes(wiring),
      ...issueReadingRoutes(wiring),
      ...issueRoutes(wiring),
      ...issueContentRoutes(wiring),
      ...publicRoutes(wiring, newLinks),
      ...pageRoutes(),
    ],
    services: {
      ofApi: [newLinks],
      ofWorker: [
        foldSubscribers(wiring),
        foldGrowth(wiring),
        purgeService(wiring),
        ...subscriberServices(wiring),
        ...issueServices(wiring),
        wordsService(wiring),
      ],
    },
  };
}

const foldSubscribers = ({ db, clock, log }: NewslettersWiring): Service =>
  tallyService(subscriberTally, {
    db,
    clock,
    log,
    name: 'folding of subscriber counts',
    everyMs: 5_000,
    failure: 'subscriber counts could not be folded; trying again',
  });

const foldGrowth = ({ db, clock, log }: NewslettersWiring): Service =>
  tallyService(growthTally, {
    db,
    clock,
    log,
    name: 'folding of subscriber growth',
    everyMs: 5_000,
    failure: 'the growth of newsletters could not be folded; trying again',
  });

import type { Clock } from '#platform/clock.ts';
import { createAnalyticsFeature } from '#features/analytics';
import { createApiKeysFeature, listKeysOf } from '#features/api-keys';
import {
  createAutomationsFeature,
  deleteAutomationsOf,
  deleteRunsOf,
  listEnabledWithTemplate,
} from '#features/automations';
import { createAuditFeature } from '#features/audit';
import { createBroadcastsFeature } from '#features/broadcasts';
import { calendarFeature } from '#features/calendar';
import { createContactsFeature, queueContactPurge } from '#features/contacts';
import { createConsentsFeature, forgetDeletedLists } from '#features/consents';
import { createDomainsFeature, listIdentityRegions, missingDomains, releaseIdentitiesOf } from '#features/domains';
import { createEmailsFeature, sendTemplateTest } from '#features/emails';
import { createFeedbackFeature } from '#features/feedback';
import { createInboundFeature } from '#features/inbound';
import { createImagesFeature, queueImagePurge } from '#features/images';
import { lookupFeature } from '#features/lookup';
import { createNewslettersFeature, missingNewsletters, queueNewsletterPurges } from '#features/newsletters';
import { bulkSends, emailRecords, purgeWorkspace, suppressWaiting } from '#features/outbox';
import { createRequestLogFeature } from '#features/request-log';
import { cancelAllScheduled, createScheduledEmailsFeature, listScheduledOfTemplate } from '#features/scheduled-emails';
import { createSuppressionsFeature, suppressionsAdded, suppressionTransfers } from '#features/suppressions';
import { createSmtpRelayFeature, type LaterPorts } from '#features/smtp-relay';
import { createTemplatesFeature } from '#features/templates';
import { createTransfersFeature } from '#features/transfers';
import { createWebhooksFeature } from '#features/webhooks';
import { createWorkspacesFeature } from '#features/workspaces';
import { addReactions, type Reaction, reactionTo } from '#platform/announcements.ts';
import type { Settings } from '#platform/config/settings.ts';
import { createSafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { FindDestination } from '#platform/smtp/mail-destination.ts';
import { BodyBudget } from '#platform/http/body/body-budget.ts';
import { deleteCaptured } from '#providers/capture/queries.ts';
import { simulatedEvent } from '#providers/capture/simulate-outcome.ts';
import { findHomeWorkspaceId } from './instance/queries.ts';
import type { Parts } from './parts.ts';
import { wireAccountList, wireIdentities } from './providers.ts';
import { createSystemMail } from './system-mail.ts';

export type Features = ReturnType<typeof createFeatures>;

const beforeWorkspaceDeleted = [
  deleteAutomationsOf,
  cancelAllScheduled,
  purgeWorkspace,
  queueNewsletterPurges,
  queueContactPurge,
  forgetDeletedLists,
  queueImagePurge,
  releaseIdentitiesOf,
];

/** Creates every feature with the ports it needs from others, and says which announcements are answered, in order. */
export function createFeatures(parts: Parts) {
  const ofWorker = { ...parts, db: parts.workerDb };
  const safeFetch = createSafeFetch(safeFetchOptions(parts.settings, parts.clock));
  const snsFetch = createSafeFetch(snsFetchOptions(parts.settings, parts.clock));
  const sendSystemMail = createSystemMail();
  const workspaces = createWorkspacesFeature({ sendSystemMail, listKeysOf, beforeWorkspaceDeleted });
  const apiKeys = createApiKeysFeature({ ...parts, missingDomains, missingNewsletters });
  const audit = createAuditFeature(parts);
  const requestLog = createRequestLogFeature(requestLogWiring(parts));
  const webhooks = createWebhooksFeature({
    ...ofWorker,
    safeFetch,
    sendSystemMail,
    emailEvents: emailRecords,
    missingDomains,
    missingNewsletters,
  });
  const feedback = createFeedbackFeature({ ...parts, safeFetch: snsFetch, sendSystemMail });
  const consents = createConsentsFeature({ ...ofWorker, deleteCaptured, deleteRunsOf });
  const audited = { ...ofWorker, audit: audit.auditLog };
  const lists = listsOf(audited, { safeFetch, sendSystemMail });
  const { newsletters, broadcasts, contacts, audiences } = lists;
  const sends = sendsOf(audited, audiences);
  const automations = createAutomationsFeature({ ...ofWorker, safeFetch, missingNewsletters });
  const mail = mailOf(parts, { apiKeys, later: sends.scheduledEmails.ports }, [
    newsletters.mailDestination,
    feedback.mailDestination,
  ]);
  react(parts, [feedback, newsletters, broadcasts, contacts, mail.inbound, automations, sends.scheduledEmails]);
  return {
    analytics: createAnalyticsFeature(),
    calendar: calendarFeature,
    lookup: lookupFeature,
    workspaces,
    apiKeys,
    audit,
    requestLog,
    images: createImagesFeature({ ...audited, safeFetch }),
    suppressions: createSuppressionsFeature({ ...ofWorker, ...suppressionPorts(parts), audit: audit.auditLog }),
    webhooks,
    domains: createDomainsFeature({ ...ofWorker, ...domainPorts(parts.settings), sendSystemMail, safeFetch }),
    feedback,
    consents,
    ...lists,
    automations,
    templates: createTemplatesFeature({
      sendTest: sendTemplateTest,
      scheduledOfTemplate: listScheduledOfTemplate,
      automationsOfTemplate: listEnabledWithTemplate,
    }),
    ...sends,
    ...mail,
    fetches: [safeFetch, snsFetch],
  };
}

type Audited = Parts & { audit: ReturnType<typeof createAuditFeature>['auditLog'] };

/** The features that keep lists of people and write to all of them. */
function listsOf(
  parts: Audited,
  ports: Pick<Parameters<typeof createNewslettersFeature>[0], 'safeFetch' | 'sendSystemMail'>,
) {
  const contacts = createContactsFeature(parts);
  const broadcasts = createBroadcastsFeature(parts);
  const newsletters = createNewslettersFeature({ ...parts, ...ports });
  const targets = [newsletters.transferTarget, contacts.transferTarget, suppressionTransfers];
  const audiences = [newsletters.audience, ...broadcasts.audiences];
  return { contacts, broadcasts, newsletters, transfers: createTransfersFeature({ ...parts, targets }), audiences };
}

/** Single sends, now or at a time, and their records. */
function sendsOf(parts: Audited, audiences: Parameters<typeof bulkSends.loaderOf>[0]) {
  const scheduledEmails = createScheduledEmailsFeature({ ...parts, missingNewsletters });
  const loadRecipients = bulkSends.loaderOf(audiences);
  const emails = createEmailsFeature({ ...scheduledEmails.ports, missingNewsletters, loadRecipients, simulatedEvent });
  return { scheduledEmails, emails };
}

/** Emails that wait for an address are settled before a list reacts. */
function react({ db, workerDb }: Parts, features: readonly { reactions: readonly Reaction[] }[]): void {
  const reactions = features.flatMap((feature) => feature.reactions);
  for (const each of new Set([db, workerDb])) {
    addReactions(each, [reactionTo(suppressionsAdded, suppressWaiting), ...reactions]);
  }
}

const suppressionPorts = ({ settings }: Parts) => ({ accountList: wireAccountList(settings, listIdentityRegions) });

const domainPorts = (settings: Settings) => ({
  identities: wireIdentities(settings),
  countAccepted: emailRecords.counts.accepted,
  countAcceptedAbout: emailRecords.counts.acceptedAbout,
});

/** The mail that comes over SMTP. The relay shares the room of its messages with the bodies of requests. */
function mailOf(
  parts: Parts,
  { apiKeys, later }: { apiKeys: ReturnType<typeof createApiKeysFeature>; later: LaterPorts },
  atBounceDomain: readonly FindDestination[],
) {
  const bodyBudget = new BodyBudget({ bytesMax: parts.settings.bodyBudgetMb * MB, bodyBytesMax: BODY_BYTES_MAX });
  const wiring = { ...parts, bodyBudget, signInWithKey: apiKeys.signIn, findHomeWorkspaceId, later };
  // Of its own: strangers who send slowly must not use up the room of callers who are known.
  const ofStrangers = {
    bytesMax: (parts.settings.bodyBudgetMb * MB) / 2,
    bodyBytesMax: parts.settings.inboundMessageMb * MB,
  };
  const inbound = createInboundFeature({ ...parts, bodyBudget: new BodyBudget(ofStrangers) });
  // The second refuses every address of the domain that is not its own.
  const mailDestinations = [...atBounceDomain, inbound.mailDestination];
  return { bodyBudget, smtpRelay: createSmtpRelayFeature(wiring), inbound, mailDestinations };
}

const MB = 1_048_576;
/** The largest request, and the largest message of the relay. */
const BODY_BYTES_MAX = 40 * MB;

const requestLogWiring = (parts: Parts): Parameters<typeof createRequestLogFeature>[0] => ({
  ...parts,
  dropped: (reason, count) => parts.metrics.requestLogDropped.inc({ reason }, count),
});

/** Development on one machine: nothing leaves it, and nobody else reaches it. */
function safeFetchOptions(settings: Settings, clock: Clock): Parameters<typeof createSafeFetch>[0] {
  const alone =
    settings.providerUrl.startsWith('capture:') && ['127.0.0.1', '::1', 'localhost'].includes(settings.host);
  return {
    clock,
    allow: settings.egressAllow,
    development:
      alone && settings.egressAllow.length === 0
        ? {
            ownPorts: [settings.port, settings.inboundSmtpPort, settings.smtpRelayPort, settings.smtpRelaysPort],
          }
        : null,
  };
}

/**
 * Only certificates and subscriptions of SNS are fetched with it, from the host that the setting names and no other: an
 * emulator on this machine is reached without opening the machine to webhooks.
 */
function snsFetchOptions({ egressAllow, snsCertHost }: Settings, clock: Clock): Parameters<typeof createSafeFetch>[0] {
  const isHere = /^(https?:\/\/)?(127\.0\.0\.1|localhost)(:\d+)?$/i.test(snsCertHost ?? '');
  return { clock, allow: isHere ? [...egressAllow, '127.0.0.1/32', '::1/128'] : egressAllow, development: null };
}

import {
  type ContactNews,
  contactsCreated,
  contactsErased,
  contactsJoinedList,
  contactsUpdated,
} from '#features/contacts';
import { emailsReported, type ReportedEmail } from '#features/feedback';
import { inboundReceived, type InboundNews } from '#features/inbound';
import {
  issueSent,
  type SubscriberNews,
  subscribersConfirmed,
  subscribersErased,
  subscribersJoined,
  subscribersUnsubscribed,
} from '#features/newsletters';
import { emailRecords } from '#features/outbox';
import { type Announcement, type Reaction, reactionTo } from '#platform/announcements.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { deleteRunsOf } from '../removal-queries.ts';
import { noteIssueSent } from './fan-out.ts';
import type { Happening } from './happening.ts';
import { hear } from './hear.ts';
import type { Hearing } from './list-erased.ts';
import { listHearing } from './queries.ts';

const EMAIL_EVENTS: Readonly<Record<ReportedEmail['type'], string>> = {
  delivery: 'email_delivered',
  open: 'email_opened',
  click: 'email_clicked',
  bounce: 'email_bounced',
  complaint: 'email_complained',
};

const ofNewsletter = (
  { workspaceId, newsletterId, subscriberId, email, sandbox }: SubscriberNews,
  type: string,
): Happening => ({
  workspaceId,
  type,
  email,
  newsletterId,
  payload: { newsletter_id: newsletterId, subscriber_id: subscriberId },
  runId: null,
  sandbox,
});

const hearNewsletter =
  (type: string) =>
  async (hearing: Hearing, news: readonly SubscriberNews[]): Promise<void> => {
    await hear(
      hearing,
      news.map((one) => ofNewsletter(one, type)),
    );
  };

const hearContacts =
  (type: string) =>
  async (hearing: Hearing, news: readonly (ContactNews & { listId?: string })[]): Promise<void> => {
    await hear(
      hearing,
      news.map(({ workspaceId, contactId, email, listId, sandbox }) => ({
        workspaceId,
        type,
        email,
        newsletterId: null,
        payload: { contact_id: contactId, ...(listId === undefined ? {} : { list_id: listId }) },
        runId: null,
        sandbox,
      })),
    );
  };

/** Only when some automation hears of emails are the emails looked at. */
async function hearEmails(hearing: Hearing, reported: readonly ReportedEmail[]): Promise<void> {
  const workspaceIds = [...new Set(reported.map(({ workspaceId }) => workspaceId))];
  const { db: tx } = hearing;
  const interested = await listHearing(tx, workspaceIds, [...new Set(reported.map(({ type }) => EMAIL_EVENTS[type]))]);
  if (interested.length === 0) return;
  const heard = reported.filter(({ workspaceId }) => interested.some((one) => one.workspaceId === workspaceId));
  const originOf = await emailRecords.originsOf(tx, heard);
  await hear(
    hearing,
    heard.flatMap((one): Happening[] => {
      const origin = originOf(one.emailId);
      // Mail of the system itself concerns nobody but its reader.
      if (origin === undefined || origin.source === 'system') return [];
      return [
        {
          workspaceId: one.workspaceId,
          type: EMAIL_EVENTS[one.type],
          email: one.recipient,
          newsletterId: origin.newsletterId,
          payload: { ...one.details, email_id: one.emailId },
          runId: origin.automationRunId,
          sandbox: false,
        },
      ];
    }),
  );
}

/** Mail that a machine wrote starts nothing: two machines would answer each other for ever. */
async function hearInbound(hearing: Hearing, { workspaceId, from, isAutomatic, ...mail }: InboundNews): Promise<void> {
  if (from === null || isAutomatic) return;
  const payload = {
    inbound_id: mail.id,
    to: mail.to,
    subject: mail.subject,
    in_reply_to_email_id: mail.answersEmailId,
  };
  const happening = { workspaceId, type: 'inbound_received', email: from, newsletterId: null, payload };
  await hear(hearing, [{ ...happening, runId: null, sandbox: false }]);
}

export function automationReactions(secrets: Secrets): readonly Reaction[] {
  const heard = <News>(to: Announcement<News>, hears: (hearing: Hearing, news: News) => Promise<void>): Reaction =>
    reactionTo(to, (db, news) => hears({ db, secrets }, news));
  return [
    heard(subscribersJoined, hearNewsletter('newsletter_subscribed')),
    heard(subscribersConfirmed, hearNewsletter('newsletter_confirmed')),
    heard(subscribersUnsubscribed, (hearing, news) =>
      hearNewsletter('newsletter_unsubscribed')(
        hearing,
        news.filter(({ isErased }) => !isErased),
      ),
    ),
    reactionTo(issueSent, noteIssueSent),
    reactionTo(subscribersErased, (tx, { workspaceId, emails }) => deleteRunsOf(tx, workspaceId, emails)),
    heard(contactsCreated, hearContacts('contact_created')),
    heard(contactsUpdated, hearContacts('contact_updated')),
    heard(contactsJoinedList, hearContacts('list_joined')),
    reactionTo(contactsErased, (tx, { workspaceId, emails }) => deleteRunsOf(tx, workspaceId, emails)),
    heard(emailsReported, hearEmails),
    heard(inboundReceived, hearInbound),
  ];
}

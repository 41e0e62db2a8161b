/**
 * A realistic event of every type: what the test endpoint sends and what docs/webhooks.md shows (a test compares the
 * two). Ids in them are fixed and belong to nobody; times are the time of the sample.
 */
import { type EmailEventType, type EventType, isEmailEventType, type WorkspaceEventType } from '../catalogue.ts';
import { NO_ORIGIN } from '#mail/email-origin.ts';
import type { EventRow } from '../events/envelope.ts';

const RECIPIENT = 'ada@example.com';
const EMAIL_ID = '0197f400-5a10-7c3e-8f21-6d0b5a9c4e77';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

export function sampleEvent(type: EventType, given: { workspaceId: string; eventId: string; at: Date }): EventRow {
  const { workspaceId, eventId, at } = given;
  if (!isEmailEventType(type)) return { workspaceId, eventId, type, data: WORKSPACE_SAMPLES[type](at.toISOString()) };
  return {
    workspaceId,
    eventId,
    type,
    data: EMAIL_SAMPLES[type](at.toISOString()),
    recipient: RECIPIENT,
    sequence: type === 'send' ? 1 : 2,
    emailId: EMAIL_ID,
    sendId: '0197f400-5a0e-7b11-9c42-1f3e5d7a9b20',
    source: 'api',
    fromAddress: 'receipts@acme.example',
    fromName: 'Acme',
    fromDomain: 'acme.example',
    givenMessageId: null,
    emailRecipient: RECIPIENT,
    recipientTyped: null,
    grouped: null,
    subject: 'Your receipt for order 1042',
    tags: [{ name: 'kind', value: 'receipt' }],
    metadata: { order: '1042' },
    ...NO_ORIGIN,
    domainId: '0197f3c0-1122-7d44-8a55-66778899aabb',
  };
}

const EMAIL_SAMPLES: Readonly<Record<EmailEventType, (at: string) => Record<string, unknown>>> = {
  send: () => ({ send: {} }),
  delivery: (timestamp) => ({
    delivery: {
      timestamp,
      processingTimeMillis: 812,
      recipients: [RECIPIENT],
      smtpResponse: '250 2.0.0 OK',
      reportingMTA: 'mta.acme.example',
    },
  }),
  bounce: (timestamp) => ({
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        {
          emailAddress: RECIPIENT,
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        },
      ],
      timestamp,
      feedbackId: '0102019a-sample-0000',
      reportingMTA: 'dns; mta.acme.example',
      suppressed: true,
    },
  }),
  complaint: (timestamp) => ({
    complaint: {
      complainedRecipients: [{ emailAddress: RECIPIENT }],
      complaintFeedbackType: 'abuse',
      feedbackId: '0102019a-sample-0001',
      timestamp,
      userAgent: 'Mailbox feedback loop/1.0',
    },
  }),
  reject: () => ({ reject: { reason: 'suppressed', message: null } }),
  delivery_delay: (timestamp) => ({
    deliveryDelay: {
      delayType: 'MailboxFull',
      delayedRecipients: [
        { emailAddress: RECIPIENT, status: '4.2.2', diagnosticCode: 'smtp; 452 4.2.2 The mailbox is full' },
      ],
      expirationTime: new Date(Date.parse(timestamp) + 14 * 3_600_000).toISOString(),
      timestamp,
    },
  }),
  open: (timestamp) => ({
    open: { timestamp, ipAddress: '203.0.113.7', userAgent: BROWSER, is_bot: false, bot_reason: null, first: true },
  }),
  click: (timestamp) => ({
    click: {
      timestamp,
      link: 'https://acme.example/orders/1042?from=email',
      linkTags: {},
      ipAddress: '203.0.113.7',
      userAgent: BROWSER,
      is_bot: false,
      bot_reason: null,
      first: true,
    },
  }),
};

const NEWSLETTER_ID = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';
const newsletter = { id: NEWSLETTER_ID, name: 'Acme Weekly', slug: 'acme-weekly' };

const subscriber = (at: string, status: 'pending' | 'active' | 'unsubscribed') => ({
  id: '0197f3d4-0000-7a50-9b1f-3f2f6f0c9a12',
  newsletter_id: NEWSLETTER_ID,
  email: RECIPIENT,
  name: 'Ada',
  source: 'footer-form',
  metadata: status === 'unsubscribed' ? { plan: 'pro', unsubscribe_reason: 'user' } : { plan: 'pro' },
  status,
  confirmed_at: status === 'pending' ? null : at,
  unsubscribed_at: status === 'unsubscribed' ? at : null,
  confirmation_sent_at: at,
  confirmation_count: 1,
  last_opened_at: null,
  last_clicked_at: null,
  created_at: at,
  updated_at: at,
});

const issue = { id: '0197f3e0-2b3c-7d4e-8f50-61728394a5b6', subject: 'News of October' };

const statsOf = (at: string, total: number, sent: number) => ({
  total,
  pending: 0,
  sent,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  failed: total - sent,
  first_event_at: at,
  last_event_at: at,
});

const domain = { id: '0197f3c0-1122-7d44-8a55-66778899aabb', domain: 'acme.example', provider_region: 'us-east-1' };

const WORKSPACE_SAMPLES: Readonly<Record<WorkspaceEventType, (at: string) => Record<string, unknown>>> = {
  'newsletter.subscriber.created': (at) => ({ newsletter, subscriber: subscriber(at, 'pending') }),
  'newsletter.subscriber.confirmed': (at) => ({ newsletter, subscriber: subscriber(at, 'active') }),
  'newsletter.subscriber.unsubscribed': (at) => ({
    newsletter,
    subscriber: subscriber(at, 'unsubscribed'),
    reason: 'user',
    issue_id: issue.id,
    previous_status: 'active',
  }),
  'newsletter.issue.sent': (at) => ({
    newsletter,
    issue: { ...issue, status: 'sent', total_recipients: 4_812, sent_at: at, stats: statsOf(at, 4_812, 4_812) },
  }),
  'newsletter.issue.failed': (at) => ({
    newsletter,
    issue: { ...issue, status: 'failed', total_recipients: 4_812, sent_at: null, stats: statsOf(at, 4_812, 1_500) },
    error: { message: 'The domain acme.example is not verified any more.', code: 'domain_unverified' },
    page: 1,
  }),
  'newsletter.subscriber.updated': (at) => ({
    newsletter,
    subscriber: subscriber(at, 'pending'),
    changed: ['email', 'status'],
    previous_email: 'ada@old.example',
  }),
  'newsletter.issue.finished': (at) => ({
    newsletter,
    issue: {
      ...issue,
      status: 'sent',
      total_recipients: 4_812,
      sent_at: at,
      stats: statsOf(at, 4_812, 4_809),
      finished_at: at,
    },
  }),
  'email.suppressed': () => ({
    suppression: { email: RECIPIENT, reason: 'hard_bounce', source_email_id: EMAIL_ID },
  }),
  'inbound.received': (at) => ({
    domain: { id: domain.id, domain: 'reply.acme.example' },
    inbound: {
      id: '0197f3f8-1111-7222-8333-444455556666',
      from: { email: RECIPIENT, name: 'Ada' },
      to: [{ email: 'support+42@reply.acme.example', name: null }],
      subject: 'Re: Your receipt for order 1042',
      message_id: '<a1b2c3@example.com>',
      size: 20_480,
      attachments: 1,
      auto_submitted: false,
      in_reply_to_email_id: EMAIL_ID,
      thread_id: EMAIL_ID,
      parse_error: null,
      received_at: at,
    },
  }),
  'domain.verified': (at) => ({
    domain: { ...domain, dkim_status: 'verified', sending_enabled: true, verified_at: at },
  }),
  'domain.failed': () => ({
    domain: { ...domain, dkim_status: 'failed', sending_enabled: false, verified_at: null },
    reason: 'The DKIM record was not found.',
  }),
  'broadcast.sent': (at) => ({
    broadcast: {
      id: '0197f3fa-aaaa-7bbb-8ccc-ddddeeeeffff',
      name: 'Black Friday',
      status: 'sent',
      total_recipients: 5_000,
      sent_at: at,
      stats: statsOf(at, 5_000, 5_000),
    },
  }),
  'broadcast.failed': (at) => ({
    broadcast: {
      id: '0197f3fa-aaaa-7bbb-8ccc-ddddeeeeffff',
      name: 'Black Friday',
      status: 'failed',
      total_recipients: 5_000,
      sent_at: null,
      stats: statsOf(at, 5_000, 1_500),
    },
    error: { message: 'The domain acme.example is not verified any more.', code: 'domain_unverified' },
  }),
  'scheduled.failed': (at) => ({
    scheduled: { id: '0197f3fb-1234-7567-89ab-cdef01234567', status: 'failed', scheduled_for: at, subject: 'Reminder' },
    error: { message: 'The time had passed by more than the allowed delay.', code: 'missed_window' },
  }),
  'automation.failed': () => ({
    automation: { id: '0197f3fc-0001-7002-8003-000400050006', name: 'Goodbye' },
    run: { id: '0197f3fc-0001-7002-8003-000400050007', step: 'mail' },
    error: { message: 'The template does not exist any more.', code: 'template_missing' },
  }),
};

import { describeQueue } from '#features/emails';
import { findLastEventAt } from '#features/feedback';
import { bulkSends, listWorkers, queue } from '#features/outbox';
import { mailShownTo } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { ownEntry } from '#platform/own-entry.ts';

const PAUSED_MAX = 20;

/** Everything that the first page of a dashboard polls: a dozen index steps, whatever the size of the tables. */
export async function readOverview(ctx: Ctx) {
  const { db, workspaceId } = ctx;
  const shown = mailShownTo(ctx.actor);
  const [described, pace, answers, paused, workers, lastEventAt, newest] = await Promise.all([
    describeQueue(ctx),
    queue.currentPace(ctx),
    queue.lastAnswers(db, workspaceId, shown),
    bulkSends.listPaused(db, workspaceId, { newsletterIds: shown.newsletterIds, limit: PAUSED_MAX }),
    listWorkers(db),
    findLastEventAt(db, workspaceId),
    queue.newest(db, workspaceId),
  ]);
  const senders = workers.filter(({ roles }) => roles.includes('worker'));
  const seen = senders.map(({ lastSeenAt }) => lastSeenAt.getTime());
  return {
    queue: described,
    pace: { rate: pace.rate, full_rate: pace.fullRate, setting: ctx.settings.sendRate, stretch: pace.stretch },
    provider: {
      name: providerName(ctx.settings.providerUrl),
      paused_until: described.paused_until,
      pause_reason: described.pause_reason,
      last_success_at: answers.lastSuccessAt,
      last_fault: answers.lastFault === null ? null : faultView(answers.lastFault),
    },
    paused_sends: paused.map(pausedView),
    workers: { alive: senders.length, last_seen_at: seen.length === 0 ? null : new Date(Math.max(...seen)) },
    last_event_at: lastEventAt,
    changes: { emails: newest.email, events: newest.event, counts: newest.count },
  };
}

const providerName = (url: string): string => {
  const scheme = url.split(':')[0] ?? '';
  return scheme === 'smtps' ? 'smtp' : scheme;
};

type Answers = Awaited<ReturnType<typeof queue.lastAnswers>>;

const FAULTS: Readonly<Record<string, string>> = {
  temporary: 'The provider put an email off; it is sent again later.',
  throttled: 'The provider wants fewer emails a second; sending slows down for a while.',
  refused: 'The provider refused an email for good.',
  unconfirmed: 'The provider did not answer; nobody knows whether it took the email.',
};

const faultView = ({ at, outcome, response }: NonNullable<Answers['lastFault']>) => ({
  at,
  outcome,
  message: [ownEntry(FAULTS, outcome), response].filter((part) => part != null && part !== '').join(' '),
});

type Paused = Awaited<ReturnType<typeof bulkSends.listPaused>>[number];

function pausedView(send: Paused) {
  return {
    send_id: send.sendId,
    source: send.source,
    newsletter_id: send.newsletterId,
    issue_id: send.issueId,
    broadcast_id: send.broadcastId,
    paused_at: send.pausedAt,
    code: send.code,
    reason: send.reason ?? 'A person paused it.',
    action: actionFor(send.code),
    resumes_at: send.resumesAt,
  };
}

function actionFor(code: Paused['code']): string {
  switch (code) {
    case 'domain_unverified':
      return 'verify_domain';
    case 'domain_limit':
      return 'raise_domain_limit';
    case 'quota':
      return 'raise_quota';
    case 'reputation':
    case null:
      return 'resume';
    default:
      throw new Error(`no such pause: ${code satisfies never}`);
  }
}

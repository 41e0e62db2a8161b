import { shownStatus } from '#features/outbox';
import { suppressedAmong } from '#features/suppressions';
import type { Ctx } from '#platform/http/context.ts';
import { requireEmail } from './get-email.ts';
import { judgeEmail } from './judge-email.ts';
import {
  type AttemptRow,
  EVENTS_MAX,
  type EventRow,
  listAttempts,
  listEvents,
  type OneEmailRow,
} from './queries/one-email.ts';
import { reasonOf } from './reason-words.ts';
import { ownEntry } from '#platform/own-entry.ts';

interface Step {
  at: Date;
  what: string;
  detail: string | null;
}

/** Explains what happened to an email, in plain words: for whoever has to answer "where is it?". */
export async function explainEmail(ctx: Ctx, id: string) {
  const email = await requireEmail(ctx, id);
  const events = (await listEvents(ctx.db, ctx.workspaceId, email.id)).slice(0, EVENTS_MAX);
  const attempts = await listAttempts(ctx.db, ctx.workspaceId, email.id);
  const onList = await suppressedAmong(ctx.db, ctx.workspaceId, [email.recipient]);
  const { verdict, nextStep } = judgeEmail(email, events, ctx.clock.now(), onList.size > 0);
  const timeline = [
    acceptedStep(email),
    ...attempts.map(attemptStep),
    ...sentStep(email),
    ...events.flatMap(eventStep),
  ];
  return {
    id: email.id,
    status: shownStatus(email.status),
    verdict,
    next_step: nextStep,
    timeline: timeline.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
  };
}

const acceptedStep = (email: OneEmailRow): Step => ({
  at: email.createdAt,
  what: 'accepted',
  detail: email.status === 'suppressed' ? 'Stored, and not sent.' : 'Stored and queued.',
});

const sentStep = (email: OneEmailRow): Step[] =>
  email.sentAt === null
    ? []
    : [
        {
          at: email.sentAt,
          what: 'sent',
          detail: `The provider took it over${email.providerMessageId === null ? '' : ` as ${email.providerMessageId}`}.`,
        },
      ];

const OUTCOMES: Readonly<Record<string, string>> = {
  temporary: 'It was not taken over this time.',
  throttled: 'The provider asked us to slow down; this does not count as an attempt.',
  refused: 'It was refused for good.',
  unconfirmed: 'It was handed over, but the answer never came: it may or may not have arrived.',
  resent: 'Handed over once more with the same Message-ID, because nothing confirmed the first time.',
};

const attemptStep = (attempt: AttemptRow): Step => ({
  at: attempt.endedAt,
  what: `attempt ${attempt.attempt}: ${attempt.outcome}`,
  detail: [ownEntry(OUTCOMES, attempt.outcome), attempt.response].filter(Boolean).join(' ') || null,
});

const EVENTS: Readonly<Record<string, string>> = {
  delivery: 'The receiving server accepted it.',
  bounce: 'The receiving server returned it.',
  complaint: 'The recipient marked it as spam.',
  reject: 'It was rejected.',
  delivery_delay: 'The receiving server is putting it off; the provider goes on trying.',
  open: 'It was opened.',
  click: 'A link in it was followed.',
};

/** A machine is not taken for a reader. */
function whatHappened({ type, data }: EventRow): string | undefined {
  const details = data[type];
  const isMachine = typeof details === 'object' && details !== null && 'is_bot' in details && details.is_bot === true;
  if (isMachine && type === 'open') return 'A machine fetched its images, not a person.';
  return isMachine && type === 'click' ? 'A machine followed a link in it, not a person.' : ownEntry(EVENTS, type);
}

/** "The receiving server returned it: 550 5.1.1 user unknown." */
function told(event: EventRow): string {
  const reason = reasonOf(event);
  const happened = whatHappened(event);
  if (reason === undefined) return happened ?? '';
  return happened === undefined ? `${reason}.` : `${happened.replace(/\.$/, '')}: ${reason}.`;
}

/** The `send` event says what the accepted step says. */
const eventStep = (event: EventRow): Step[] =>
  event.type === 'send'
    ? []
    : [
        {
          at: event.at,
          what: event.type,
          detail: `${told(event)} (${event.recipient})`,
        },
      ];

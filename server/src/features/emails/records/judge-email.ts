import type { EventRow, OneEmailRow } from './queries/one-email.ts';
import { isPermanent, reasonOf } from './reason-words.ts';

interface Judgement {
  verdict: string;
  nextStep: string | null;
}

/** The verdict on an email and the next step, in plain words. `isOnList`: its recipient is suppressed now. */
export function judgeEmail(email: OneEmailRow, events: readonly EventRow[], now: Date, isOnList: boolean): Judgement {
  const of = (type: string): EventRow | undefined => events.findLast((event) => event.type === type);
  switch (email.status) {
    case 'pending':
      return { verdict: 'It waits to be released into the queue.', nextStep: null };
    case 'queued':
      return {
        verdict: 'It waits for its turn in the queue.',
        nextStep: 'Nothing to do: GET /v1/queue says how long the queue is.',
      };
    case 'deferred':
      return {
        verdict: `The provider could not take it (${email.error ?? 'no reason given'}). The next attempt is at ${email.notBefore?.toISOString() ?? 'once it is due'}.`,
        nextStep: 'Nothing to do: it is tried for a day. DELETE /v1/send/:jobId stops it.',
      };
    case 'sending':
      return { verdict: 'It is being handed to the provider.', nextStep: null };
    case 'unconfirmed':
      return {
        verdict: 'It was handed to the provider, but the answer never came: it may or may not have arrived.',
        nextStep:
          'An event of the provider settles it by itself. To decide now: POST /v1/emails/:id/send-again (may arrive twice) or POST /v1/emails/:id/treat-as-sent.',
      };
    case 'sent':
      return sentVerdict(email, now);
    case 'delivery_delayed':
      return {
        verdict: `The receiving server is putting it off: ${reasonOfLast(of('delivery_delay'))}.`,
        nextStep: 'Nothing to do: the provider goes on trying and then reports a delivery or a bounce.',
      };
    case 'delivered':
      return {
        verdict: 'The receiving server accepted it.',
        nextStep: email.openCount > 0 ? null : 'If the recipient does not see it: it may be in the spam folder.',
      };
    case 'bounced':
      return bounceVerdict(of('bounce'), isOnList);
    case 'complained':
      return {
        verdict: `The recipient marked it as spam.${onList(isOnList)}`,
        nextStep: 'Do not write to this address again unless its owner asks you to.',
      };
    case 'suppressed':
      return suppressedVerdict(email, isOnList);
    case 'cancelled':
      return { verdict: 'It was cancelled before it left.', nextStep: null };
    case 'failed':
      return {
        verdict:
          email.error === 'expired'
            ? 'It was not sent: its expiresAt passed first.'
            : `It was not sent: ${email.error ?? reasonOfLast(of('reject'))}.`,
        nextStep:
          email.error === 'expired'
            ? 'If it is still wanted: POST /v1/emails/:id/resend sends it without a deadline.'
            : 'Mend what the reason names, then POST /v1/emails/:id/resend.',
      };
  }
}

const onList = (isOnList: boolean): string =>
  isOnList ? ' The address is on the suppression list.' : ' The address is not on the suppression list.';

function suppressedVerdict({ error }: OneEmailRow, isOnList: boolean): Judgement {
  if (error === 'unsubscribed') {
    return {
      verdict: `It was not sent: the recipient left the list before its turn.${isOnList ? onList(isOnList) : ''}`,
      nextStep: 'Nothing to do, unless they subscribe again.',
    };
  }
  return isOnList
    ? {
        verdict: 'It was not sent: the address is on the suppression list of this workspace.',
        nextStep: 'If the address works again and its owner wants your mail, remove it from the list and send again.',
      }
    : {
        verdict:
          'It was not sent: the address was on the suppression list of this workspace then. It is not on it now.',
        nextStep: 'POST /v1/emails/:id/resend sends it again.',
      };
}

const reasonOfLast = (event: EventRow | undefined): string =>
  (event === undefined ? undefined : reasonOf(event)) ?? 'no reason given';

const NO_EVENTS_MS = 600_000;

function sentVerdict(email: OneEmailRow, now: Date): Judgement {
  const isSilent = email.sentAt !== null && now.getTime() - email.sentAt.getTime() > NO_EVENTS_MS;
  return {
    verdict: isSilent
      ? 'The provider took it over more than ten minutes ago, and no events were received: callback problem?'
      : 'The provider took it over. Whether it arrived is not known yet.',
    nextStep: isSilent
      ? 'When other emails get events, the receiving server is slow. When none does, `npm start -- doctor` (or GET /v1/provider/check) finds the cause; plain SMTP reports no deliveries at all.'
      : null,
  };
}

function bounceVerdict(bounce: EventRow | undefined, isOnList: boolean): Judgement {
  const reason = reasonOfLast(bounce);
  return isPermanent(bounce)
    ? {
        verdict: `The receiving server returned it for good: ${reason}.${onList(isOnList)}`,
        nextStep: isOnList
          ? 'Correct the address, or remove it from your lists.'
          : 'The refusal was not about the address. Mend what the reason names, then POST /v1/emails/:id/resend.',
      }
    : {
        verdict: `The receiving server returned it for now: ${reason}.`,
        nextStep: 'Try again later: POST /v1/emails/:id/resend.',
      };
}

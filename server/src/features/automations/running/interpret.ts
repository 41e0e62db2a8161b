/**
 * The one interpreter of steps: it asks nobody and changes nothing. The worker carries out what it says; a simulation
 * only notes it. So the two cannot disagree.
 */
import { nextLocalTime } from '#platform/time/next-local-time.ts';
import type { EndStatus, Step } from '../automation.ts';
import { storedSeconds } from '../duration.ts';
import { holds } from './condition.ts';
import { type ContactStep } from '../step-fields.ts';
import type { Facts } from './facts.ts';

/** Where a run is. */
export interface Place {
  step: string;
  /** It has begun to wait there. */
  isWaiting: boolean;
  /** The event that it waited for; null: it has not come. */
  heard: Readonly<Record<string, unknown>> | null;
}

export type Effect =
  | { is: 'email'; config: Step['config'] }
  | { is: 'change'; type: ContactStep; config: Step['config'] }
  | { is: 'call'; url: string };

export type Outcome =
  /** On to the step `go`; null: there is none, and the run is completed. */
  | { is: 'passed'; go: string | null; branch: string | null; output: Record<string, unknown> | null }
  | { is: 'waits'; until: Date; event: string | null }
  /** The effect, and then the step `go`. */
  | { is: 'does'; effect: Effect; go: string | null }
  | { is: 'ends'; status: EndStatus; reason: string | null };

export async function interpret(steps: readonly Step[], place: Place, facts: Facts, now: Date): Promise<Outcome> {
  const { step, next } = stepAt(steps, place.step);
  const { config } = step;
  switch (step.type) {
    case 'send_email': {
      const reason = config.transactional === true ? null : whyNotMailed(facts);
      if (reason !== null) return { is: 'ends', status: 'exited', reason };
      return { is: 'does', effect: { is: 'email', config }, go: next };
    }
    case 'delay':
      if (place.isWaiting) return { is: 'passed', go: next, branch: null, output: null };
      return { is: 'waits', until: await endOfDelay(config, facts, now), event: null };
    case 'wait_for_event':
      return afterWait(config, place, next, now);
    case 'condition': {
      const { field = '', op = 'exists', value } = config;
      if (holds({ field, op, value }, facts)) return passed('yes', next);
      return branchTo('no', config.else ?? 'end', next);
    }
    case 'update_contact':
    case 'add_to_list':
    case 'remove_from_list':
    case 'unsubscribe':
      return { is: 'does', effect: { is: 'change', type: step.type, config }, go: next };
    case 'webhook':
      return { is: 'does', effect: { is: 'call', url: config.url ?? '' }, go: next };
    case 'end':
      return { is: 'ends', status: 'completed', reason: null };
  }
}

/** The step with this key, and the key of the one behind it. */
export function stepAt(steps: readonly Step[], key: string): { step: Step; next: string | null } {
  const index = steps.findIndex((step) => step.key === key);
  const step = steps[index];
  if (step === undefined) throw new Error(`a run is at the step ${key}, which its version does not have`);
  return { step, next: steps[index + 1]?.key ?? null };
}

/** Mail that is not transactional goes to people who want it. */
function whyNotMailed({ isSuppressed, hasNewsletter, subscriber, contact, hasLeftList }: Facts): string | null {
  if (isSuppressed) return 'suppressed';
  if (!hasNewsletter) return contact?.unsubscribed === true || hasLeftList ? 'unsubscribed' : null;
  if (subscriber?.status === 'active') return null;
  return subscriber?.status === 'pending' ? 'not_confirmed' : 'unsubscribed';
}

async function endOfDelay({ duration, until_local: until, timezone }: Step['config'], facts: Facts, now: Date) {
  if (until !== undefined) return nextLocalTime(until, timezone ?? facts.zone, now);
  return new Date(now.getTime() + storedSeconds(duration ?? '') * 1_000);
}

function afterWait(config: Step['config'], place: Place, next: string | null, now: Date): Outcome {
  if (place.heard !== null) return { ...passed('event', next), output: { branch: 'event', event: place.heard } };
  if (place.isWaiting) return branchTo('timeout', config.on_timeout ?? 'continue', next);
  const until = new Date(now.getTime() + storedSeconds(config.timeout ?? '') * 1_000);
  return { is: 'waits', until, event: config.event ?? null };
}

const passed = (branch: string, go: string | null) => ({ is: 'passed' as const, go, branch, output: { branch } });

function branchTo(branch: string, target: string, next: string | null): Outcome {
  if (target === 'end') return { is: 'ends', status: 'completed', reason: branch };
  return passed(branch, target === 'continue' ? next : target);
}

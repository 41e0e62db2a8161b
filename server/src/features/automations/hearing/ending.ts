import type { Definition, Trigger } from '../automation.ts';
import { holds, type Told } from '../running/condition.ts';
import type { Happening } from './happening.ts';

type Event = Pick<Happening, 'type' | 'newsletterId'>;

/** Whether this event is the one that a trigger, an exit or a goal means. */
export function isMeant(trigger: Trigger, { type, newsletterId }: Event, facts: Told): boolean {
  if (trigger.type !== type) return false;
  const wanted = trigger.newsletter_id ?? null;
  if (wanted !== null && wanted !== newsletterId) return false;
  const list = trigger.list_id ?? null;
  if (list !== null && list !== facts.payload['list_id']) return false;
  return (trigger.filter ?? []).every((condition) => holds(condition, facts));
}

export interface Ending {
  status: 'completed' | 'exited';
  reason: string;
}

/** The end that an event brings to a run of this version; null: it does not end it. */
export function endingBy({ goal, exit_on: exits }: Definition, event: Event, facts: Told): Ending | null {
  if (goal !== null && isMeant(goal, event, facts)) return { status: 'completed', reason: 'goal' };
  if (!exits.some((exit) => isMeant(exit, event, facts))) return null;
  return { status: 'exited', reason: event.type };
}

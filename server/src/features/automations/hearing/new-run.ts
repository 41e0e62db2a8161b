import { newId } from '#platform/ids.ts';
import type { Definition } from '../automation.ts';
import { reentryDuration, storedSeconds } from '../duration.ts';
import { valueAt } from '../running/condition.ts';
import type { Happening } from './happening.ts';
import type { NewRun } from './queries.ts';

const KEY_CHARS_MAX = 500;

/** The value of the correlation in a payload; null: the automation has none, or the payload does not. */
export function correlationOf({ correlation }: Definition, payload: Happening['payload']): string | null {
  if (correlation === null) return null;
  const value = valueAt(payload, correlation.split('.'));
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).slice(0, KEY_CHARS_MAX) : null;
}

/** The run that an event asks for; re-entry and correlation are in the key of its entry. */
export function newRun(
  { id: automationId, version, definition }: { id: string; version: number; definition: Definition },
  { workspaceId, email, newsletterId, payload, sandbox }: Happening,
  isTest = false,
): NewRun {
  const correlation = correlationOf(definition, payload);
  const again = reentryDuration(definition.reentry);
  const isFree = isTest || (definition.reentry === 'every' && correlation === null);
  return {
    workspace_id: workspaceId,
    id: newId(),
    automation_id: automationId,
    version,
    email,
    newsletter_id: newsletterId,
    payload,
    correlation,
    is_test: isTest,
    sandbox,
    step: definition.steps[0]?.key ?? '',
    // Runs of test keys do not stand in the way of others.
    entry_key: isFree ? null : `${sandbox ? 'test ' : 'live '}${correlation ?? ''}`,
    again_after_seconds: again === null ? null : storedSeconds(again),
  };
}

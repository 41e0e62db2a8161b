import { readZone } from '#platform/time/zones.ts';
import type { Definition, Step, Trigger } from '../automation.ts';

/** The fields of a definition, as a request gives them. */
export interface DefinitionInput {
  trigger?: Trigger;
  reentry?: string;
  correlation?: string | null;
  exit_on?: readonly Trigger[];
  goal?: Trigger | null;
  steps?: readonly Step[];
}

/** The next definition: what is given, and the rest of the one before. Every optional field has its value. */
export function nextDefinition(
  input: DefinitionInput,
  before: Partial<Definition> & Pick<Definition, 'trigger' | 'steps'>,
): Definition {
  const goal = input.goal === undefined ? (before.goal ?? null) : input.goal;
  return {
    trigger: whole(input.trigger ?? before.trigger),
    reentry: input.reentry ?? before.reentry ?? 'once',
    correlation: input.correlation === undefined ? (before.correlation ?? null) : input.correlation,
    exit_on: (input.exit_on ?? before.exit_on ?? []).map(whole),
    goal: goal === null ? null : whole(goal),
    steps: (input.steps ?? before.steps).map(wholeStep),
  };
}

const whole = ({
  type,
  newsletter_id: newsletterId = null,
  list_id: listId = null,
  filter = null,
}: Trigger): Trigger => ({
  type,
  newsletter_id: newsletterId,
  ...(listId === null ? {} : { list_id: listId }),
  filter: filter === null || filter.length === 0 ? null : filter,
});

function wholeStep({ key, type, config, on_error: onError = 'stop' }: Step): Step {
  return { key, type, config: wholeConfig(type, config), on_error: onError };
}

function wholeConfig(type: Step['type'], config: Step['config']): Step['config'] {
  switch (type) {
    case 'send_email': {
      const { template_id, template_version = null, from = null, subject = null, transactional = false } = config;
      return { ...(template_id === undefined ? {} : { template_id }), template_version, from, subject, transactional };
    }
    case 'delay': {
      const { timezone = null, ...rest } = config;
      if (rest.until_local === undefined) return rest;
      return { ...rest, timezone: timezone === null ? null : readZone('timezone', timezone) };
    }
    case 'wait_for_event':
      return { ...config, on_timeout: config.on_timeout ?? 'continue' };
    case 'condition':
      return { ...config, else: config.else ?? 'end' };
    case 'update_contact':
    case 'add_to_list':
    case 'remove_from_list':
    case 'unsubscribe':
    case 'webhook':
    case 'end':
      return config;
  }
}

import type { Static } from 'typebox';
import { AddressError, parseMailbox } from '#mail/addresses/addresses.ts';
import type { Faults } from '#platform/errors/faults.ts';
import { readZone } from '#platform/time/zones.ts';
import type { AskedStep, Condition, Step, StepConfig, Trigger } from '../automation.ts';
import { reentryDuration, secondsOf } from '../duration.ts';
import type { CreateAutomationBody, UpdateAutomationBody } from '../schemas.ts';
import { comparesWithValue, isNewsletterEvent, STEP_FIELDS } from '../step-fields.ts';
import type { DefinitionInput } from './definition-input.ts';

const FIELD =
  /^(email|subscriber\.(status|name|email|source)|contact\.(id|email|first_name|last_name|name|unsubscribed)|(payload|subscriber\.metadata|contact\.properties)(\.[A-Za-z_][A-Za-z0-9_-]{0,63}){1,5})$/;
const BYTES_MAX = 64 * 1024;
const HIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

type NewFields = Static<typeof CreateAutomationBody>;
type ChangedFields = Static<typeof UpdateAutomationBody>;

export async function readNewAutomation(
  fields: NewFields,
  faults: Faults,
): Promise<Omit<NewFields, 'steps'> & { steps: Step[] }> {
  const whole = { ...fields, steps: withConfigs(fields.steps) };
  await judge(whole, faults);
  return whole;
}

export async function readAutomationChange(
  { steps, ...fields }: ChangedFields,
  faults: Faults,
): Promise<Omit<ChangedFields, 'steps'> & { steps?: Step[] }> {
  const whole = steps === undefined ? fields : { ...fields, steps: withConfigs(steps) };
  await judge(whole, faults);
  return whole;
}

/** None when they have a fault of type, which is told already. */
const withConfigs = (steps: readonly AskedStep[] = []): Step[] =>
  steps.map(({ config = {}, ...step }) => ({ ...step, config }));

/** Judges the meaning of all fields that are given: nothing is looked up. */
async function judge(fields: DefinitionInput, faults: Faults): Promise<void> {
  const { trigger, exit_on: exits, goal, reentry, correlation, steps } = fields;
  if (trigger !== undefined) readTrigger(trigger, 'trigger', faults);
  for (const [index, exit] of (exits ?? []).entries()) readTrigger(exit, `exit_on[${index}]`, faults);
  if (goal !== undefined && goal !== null) readTrigger(goal, 'goal', faults);
  const again = reentry === undefined ? null : reentryDuration(reentry);
  if (again !== null) readDuration(again, 'reentry', faults);
  if (isHidden(correlation)) faults.unacceptable('correlation', 'correlation has a name that no payload can have');
  if (steps !== undefined) await readSteps(steps, faults);
  if (Buffer.byteLength(JSON.stringify(fields), 'utf8') > BYTES_MAX) {
    faults.unacceptable('steps', 'An automation must be at most 64 KB as JSON.');
  }
}

const isHidden = (path: string | null | undefined): boolean => (path ?? '').split('.').some((name) => HIDDEN.has(name));

function readTrigger(
  { type, newsletter_id: newsletterId, list_id: listId, filter }: Trigger,
  at: string,
  faults: Faults,
): void {
  if ((listId ?? null) !== null && type !== 'list_joined') {
    faults.unacceptable(`${at}.list_id`, `${at}.list_id is for list_joined`);
  }
  if ((newsletterId ?? null) !== null && !isNewsletterEvent(type)) {
    faults.unacceptable(
      `${at}.newsletter_id`,
      `${at}.newsletter_id is for newsletter_subscribed, newsletter_confirmed, newsletter_unsubscribed and issue_sent`,
    );
  }
  for (const [index, condition] of (filter ?? []).entries()) {
    readCondition(condition, `${at}.filter[${index}]`, faults);
  }
}

function readCondition({ field, op, value }: Condition, at: string, faults: Faults): void {
  if (!FIELD.test(field) || isHidden(field)) {
    faults.unreadable(
      `${at}.field`,
      `${at}.field must be email, payload.<name>, contact.id, .email, .first_name, .last_name, .name, .unsubscribed or ` +
        '.properties.<name>, or subscriber.status, .name, .email, .source or .metadata.<name>',
    );
  }
  if (!comparesWithValue(op)) return;
  if (value === undefined) faults.unreadable(`${at}.value`, `${at}.value is required for ${op}`);
  else if (op === 'in' && !Array.isArray(value)) faults.unreadable(`${at}.value`, `${at}.value must be a list for in`);
  else if (op !== 'in' && typeof value === 'object' && value !== null) {
    faults.unreadable(`${at}.value`, `${at}.value must be a text, a number, true, false or null`);
  }
}

function readDuration(duration: string, at: string, faults: Faults): void {
  if (secondsOf(duration) === undefined) {
    faults.unreadable(at, `${at} must have a duration such as 30 minutes or 3 days, of at most 366 days`);
  }
}

/** Keys are unique, and branches go forward: so there is no cycle. */
async function readSteps(steps: readonly Step[], faults: Faults): Promise<void> {
  const places = new Map(steps.map(({ key }, index): [string, number] => [key, index]).toReversed()); // the first of a key
  for (const [index, step] of steps.entries()) {
    const at = `steps[${index}]`;
    if (step.key === 'end' || step.key === 'continue') {
      faults.unacceptable(`${at}.key`, `${at}.key must not be ${step.key}: branches use this word`);
    }
    if (places.get(step.key) !== index) {
      faults.unacceptable(`${at}.key`, `${at}.key: another step has the key "${step.key}"`);
    }
    refuseOtherFields(step, at, faults);
    await readConfig(step, `${at}.config`, faults);
    for (const branch of ['else', 'on_timeout'] as const) {
      const target = step.config[branch];
      if (target === undefined || target === 'end' || (target === 'continue' && branch === 'on_timeout')) continue;
      const place = places.get(target);
      const param = `${at}.config.${branch}`;
      if (place === undefined) faults.unacceptable(param, `${param}: there is no step with the key "${target}"`);
      else if (place <= index) faults.unacceptable(param, `${param}: the step "${target}" is not a later one`);
    }
  }
}

function refuseOtherFields({ type, config }: Step, at: string, faults: Faults): void {
  const known: readonly string[] = STEP_FIELDS[type];
  for (const [name, value] of Object.entries(config)) {
    if (value === undefined || known.includes(name)) continue;
    faults.unreadable(
      `${at}.config.${name}`,
      `${at}.config.${name} is no field of a ${type} step${known.length === 0 ? '' : `, which has ${known.join(', ')}`}`,
    );
  }
}

async function readConfig({ type, config }: Step, at: string, faults: Faults): Promise<void> {
  const requireField = (field: keyof StepConfig): void => {
    if (config[field] === undefined || config[field] === null)
      faults.unreadable(`${at}.${field}`, `${at}.${field} is required`);
  };
  switch (type) {
    case 'send_email':
      requireField('template_id');
      readSender(config.from, `${at}.from`, faults);
      return;
    case 'delay':
      if ((config.duration === undefined) === (config.until_local === undefined)) {
        faults.unreadable(`${at}.duration`, `${at} needs either duration or until_local`);
      }
      if (config.duration !== undefined) readDuration(config.duration, `${at}.duration`, faults);
      await faults.collect(() => readZone(`${at}.timezone`, config.timezone ?? 'UTC'));
      return;
    case 'wait_for_event':
      requireField('event');
      requireField('timeout');
      if (config.timeout !== undefined) readDuration(config.timeout, `${at}.timeout`, faults);
      return;
    case 'condition':
      requireField('field');
      requireField('op');
      if (config.field !== undefined && config.op !== undefined) {
        readCondition({ field: config.field, op: config.op, value: config.value }, at, faults);
      }
      return;
    case 'update_contact':
      requireField('properties');
      return;
    case 'add_to_list':
    case 'remove_from_list':
      requireField('list_id');
      return;
    case 'unsubscribe':
      if ((config.list_id === undefined) === (config.newsletter_id === undefined)) {
        faults.unreadable(`${at}.list_id`, `${at} needs either list_id or newsletter_id`);
      }
      return;
    case 'webhook':
      requireField('url');
      return;
    case 'end':
      return;
  }
}

function readSender(from: string | null | undefined, at: string, faults: Faults): void {
  if (from === undefined || from === null) return;
  try {
    parseMailbox(from);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    faults.unreadable(at, `${at} must be an email address. ${error.reason}`);
  }
}

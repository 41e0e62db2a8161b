import type { ContactProperty } from '../../../../api/generated/types.gen.ts';
import { type ConditionNode, takesValue } from './filter-tree.ts';

type Kind =
  | 'text'
  | 'number'
  | 'truth'
  | 'boolean'
  | 'day'
  | 'date'
  | 'list'
  | 'segment'
  | 'activity'
  | 'event'
  | 'send';

interface Option {
  value: string;
  label: string;
}

type Properties = readonly Pick<ContactProperty, 'key' | 'type'>[];

const PERSON: readonly Option[] = [
  { value: 'email', label: 'Address' },
  { value: 'domain', label: 'Domain of the address' },
  { value: 'name', label: 'Name' },
  { value: 'first_name', label: 'First name' },
  { value: 'last_name', label: 'Last name' },
  { value: 'timezone', label: 'Time zone' },
  { value: 'language', label: 'Language' },
  { value: 'created_at', label: 'Added' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
];
const GROUPS: readonly Option[] = [
  { value: 'list:', label: 'List' },
  { value: 'segment:', label: 'Segment' },
];
const MAIL: readonly Option[] = [
  { value: 'sent', label: 'Emails sent' },
  { value: 'opened', label: 'Emails opened' },
  { value: 'clicked', label: 'Emails clicked' },
];
const EVENT: Option = { value: 'received_event:', label: 'Event of yours' };
const ONE_SEND: readonly Option[] = [
  { value: 'received:', label: 'Received the mailing' },
  { value: 'opened:', label: 'Opened the mailing' },
  { value: 'clicked:', label: 'Clicked in the mailing' },
];

/** The fields of a condition, in groups. */
export const fieldOptions = (properties: Properties): { group: string; items: Option[] }[] =>
  [
    { group: 'Person', items: [...PERSON] },
    {
      group: 'Properties',
      items: properties.map(({ key }) => ({ value: `property:${key}`, label: key })),
    },
    { group: 'Groups', items: [...GROUPS] },
    { group: 'All mail', items: [...MAIL] },
    { group: 'One broadcast or issue', items: [...ONE_SEND] },
    { group: 'Events', items: [EVENT] },
  ].filter(({ items }) => items.length > 0);

/** `list:123` is the field `list:` with the id `123`. A property has no id. */
export function splitField(field: string): { base: string; id: string } {
  const colon = field.indexOf(':');
  if (colon === -1 || field.startsWith('property:')) return { base: field, id: '' };
  return { base: field.slice(0, colon + 1), id: field.slice(colon + 1) };
}

export function kindOf(field: string, properties: Properties): Kind {
  const { base } = splitField(field);
  if (base === 'list:') return 'list';
  if (base === 'segment:') return 'segment';
  if (ONE_SEND.some(({ value }) => value === base)) return 'send';
  if (base === EVENT.value) return 'event';
  if (MAIL.some(({ value }) => value === base)) return 'activity';
  if (base === 'unsubscribed') return 'truth';
  if (base === 'created_at') return 'day';
  const type = properties.find(({ key }) => field === `property:${key}`)?.type;
  return type === undefined || type === 'string' ? 'text' : type;
}

const PRESENCE: readonly Option[] = [
  { value: 'is_set', label: 'has a value' },
  { value: 'is_not_set', label: 'has no value' },
];
const TRUTH: readonly Option[] = [
  { value: 'is_true', label: 'is yes' },
  { value: 'is_false', label: 'is no' },
];
const TIMES: readonly Option[] = [
  { value: 'before', label: 'is before' },
  { value: 'after', label: 'is after' },
  { value: 'equals', label: 'is' },
  { value: 'not_equals', label: 'is not' },
];

export const OPS: Readonly<Record<Kind, readonly Option[]>> = {
  text: [
    { value: 'equals', label: 'is' },
    { value: 'not_equals', label: 'is not' },
    { value: 'contains', label: 'contains' },
    { value: 'starts_with', label: 'starts with' },
    { value: 'ends_with', label: 'ends with' },
    ...PRESENCE,
  ],
  number: [
    { value: 'equals', label: 'is' },
    { value: 'not_equals', label: 'is not' },
    { value: 'gt', label: 'is more than' },
    { value: 'lt', label: 'is less than' },
    ...PRESENCE,
  ],
  truth: TRUTH,
  boolean: [...TRUTH, ...PRESENCE],
  day: TIMES,
  date: [...TIMES, ...PRESENCE],
  list: [
    { value: 'is_true', label: 'they are on' },
    { value: 'is_false', label: 'they are not on' },
  ],
  segment: [
    { value: 'is_true', label: 'they are in' },
    { value: 'is_false', label: 'they are not in' },
  ],
  activity: [
    { value: 'at_least', label: 'at least' },
    { value: 'none', label: 'none' },
  ],
  event: [
    { value: 'at_least', label: 'at least' },
    { value: 'none', label: 'none' },
  ],
  send: [
    { value: 'is_true', label: 'yes' },
    { value: 'is_false', label: 'no' },
  ],
};

/** A condition about another field, with the first operation of its kind. */
export function withField(node: ConditionNode, field: string, properties: Properties): ConditionNode {
  const [first] = OPS[kindOf(field, properties)];
  return { ...node, field, op: first?.value ?? '', value: '', count: '1', within: '' };
}

/** A sentence about the first thing that a condition lacks; undefined when it can be asked. */
export function faultOf(node: ConditionNode, properties: Properties): string | undefined {
  if (node.field === '') return 'Choose a field.';
  const kind = kindOf(node.field, properties);
  const { id } = splitField(node.field);
  if (kind === 'list' && id === '') return 'Choose a list.';
  if (kind === 'segment' && id === '') return 'Choose a segment.';
  if (kind === 'send' && id === '') return 'Choose a broadcast or an issue.';
  if (kind === 'event' && !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/.test(id)) {
    return 'Enter the name of an event, such as order.paid.';
  }
  if (node.op === 'at_least' && !/^[1-9]\d{0,3}$/.test(node.count)) return 'Enter a whole number from 1.';
  if (node.within !== '' && !/^[1-9]\d{0,4}$/.test(node.within)) return 'Enter a whole number, or leave it empty.';
  if (!takesValue(node.op)) return undefined;
  if (node.value.trim() === '') return 'Enter a value.';
  return kind === 'number' && !Number.isFinite(Number(node.value)) ? 'Enter a number.' : undefined;
}

export interface Names {
  properties: Properties;
  lists: readonly { id: string; name: string }[];
  segments: readonly { id: string; name: string }[];
  /** Broadcasts whose names are known; an issue shows its id. */
  broadcasts?: readonly { id: string; name: string }[];
}

interface Told {
  field?: string | undefined;
  op?: string | undefined;
  value?: unknown;
  count?: number | undefined;
  within?: string | undefined;
}

/** A condition in words: "plan is pro", "Emails opened: at least 3 in the last 30 days". */
export function conditionWords({ field = '', op = '', value, count, within }: Told, names: Names): string {
  const { base, id } = splitField(field);
  const kind = kindOf(field, names.properties);
  const opWords = OPS[kind].find((one) => one.value === op)?.label ?? op;
  const nameIn = (all: Names['lists']) => all.find((one) => one.id === id)?.name ?? id;
  if (kind === 'list') return `${op === 'is_true' ? 'On the list' : 'Not on the list'} ${nameIn(names.lists)}`;
  if (kind === 'segment')
    return `${op === 'is_true' ? 'In the segment' : 'Not in the segment'} ${nameIn(names.segments)}`;
  const label =
    [...PERSON, ...MAIL, ...ONE_SEND].find((one) => one.value === base)?.label ?? field.replace('property:', '');
  if (kind === 'send') return `${label} ${nameIn(names.broadcasts ?? [])}: ${opWords}`;
  if (kind === 'activity' || kind === 'event') {
    const times = op === 'at_least' ? `at least ${count ?? 1}` : 'none';
    return `${kind === 'event' ? `Event ${id}` : label}: ${times}${within === undefined ? '' : ` in the last ${within}`}`;
  }
  return takesValue(op) ? `${label} ${opWords} ${String(value)}` : `${label} ${opWords}`;
}

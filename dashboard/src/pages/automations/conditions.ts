import type { AutomationCondition } from '../../api/generated/types.gen.ts';

type Op = AutomationCondition['op'];

export const OPS: readonly { value: Op; label: string }[] = [
  { value: 'equals', label: 'is' },
  { value: 'not_equals', label: 'is not' },
  { value: 'contains', label: 'contains' },
  { value: 'not_contains', label: 'does not contain' },
  { value: 'starts_with', label: 'begins with' },
  { value: 'ends_with', label: 'ends with' },
  { value: 'greater_than', label: 'is more than' },
  { value: 'less_than', label: 'is less than' },
  { value: 'in', label: 'is one of' },
  { value: 'exists', label: 'is there' },
  { value: 'not_exists', label: 'is not there' },
  { value: 'is_true', label: 'is true' },
  { value: 'is_false', label: 'is false' },
];

/** The names of some of them in segments; the API takes both. */
const AS_IN_SEGMENTS: Partial<Record<Op, Op>> = {
  gt: 'greater_than',
  lt: 'less_than',
  after: 'greater_than',
  before: 'less_than',
  is_set: 'exists',
  is_not_set: 'not_exists',
};

/** The operator as it stands in the list. */
export const listedOp = (op: Op): Op => AS_IN_SEGMENTS[op] ?? op;

export const FIELDS = ['subscriber.status', 'subscriber.name', 'subscriber.source', 'email'] as const;

const WITHOUT_VALUE: readonly Op[] = ['exists', 'not_exists', 'is_true', 'is_false'];

export const takesValue = (op: Op | undefined): boolean => op === undefined || !WITHOUT_VALUE.includes(listedOp(op));

/** A value as it is shown and typed: a list has commas. */
export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(String).join(', ');
  return String(value);
}

/** A condition as the API takes it: what was typed for `in` becomes a list, and where there is no value it goes. */
export function readyCondition<C extends { op?: Op; value?: unknown }>(condition: C): C {
  const { value, ...rest } = condition;
  if (!takesValue(condition.op)) return rest as unknown as C; // `value` is optional
  if (condition.op !== 'in' || typeof value !== 'string') return condition;
  const parts = value.split(',').map((part) => part.trim());
  return { ...condition, value: parts.filter((part) => part !== '') };
}

/** “subscriber.status is active”. */
export function conditionWords({ field, op, value }: Partial<AutomationCondition>): string {
  const words = OPS.find((one) => op !== undefined && one.value === listedOp(op))?.label ?? '…';
  return [field === undefined || field === '' ? '…' : field, words, takesValue(op) ? textOfValue(value) || '…' : '']
    .join(' ')
    .trim();
}

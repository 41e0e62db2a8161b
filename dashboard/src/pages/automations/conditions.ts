import type { AutomationCondition } from '../../api/generated/types.gen.ts';

type Op = AutomationCondition['op'];

export const OPS: readonly { value: Op; label: string }[] = [
  { value: 'equals', label: 'is' },
  { value: 'not_equals', label: 'is not' },
  { value: 'contains', label: 'contains' },
  { value: 'not_contains', label: 'does not contain' },
  { value: 'starts_with', label: 'begins with' },
  { value: 'greater_than', label: 'is more than' },
  { value: 'less_than', label: 'is less than' },
  { value: 'in', label: 'is one of' },
  { value: 'exists', label: 'is there' },
  { value: 'not_exists', label: 'is not there' },
];

export const FIELDS = ['subscriber.status', 'subscriber.name', 'subscriber.source', 'email'] as const;

/** These two ask for no value. */
export const takesValue = (op: Op | undefined): boolean => op !== 'exists' && op !== 'not_exists';

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
  const words = OPS.find((one) => one.value === op)?.label ?? '…';
  return [field === undefined || field === '' ? '…' : field, words, takesValue(op) ? textOfValue(value) || '…' : '']
    .join(' ')
    .trim();
}

/** A group of conditions of a segment: all or any of them must be met. */
export interface Group {
  /** Its place in what the caller wrote: `filter.conditions[1]`. */
  at: string;
  match: 'all' | 'any';
  parts: (Group | Condition)[];
}

/** A condition as it is stored and shown. */
export interface WrittenCondition {
  field: string;
  op: string;
  value?: string | number | boolean;
  count?: number;
  within?: string;
}

export interface Condition {
  at: string;
  written: WrittenCondition;
  test: ContactTest;
}

/** A filter as it is stored and shown. */
export interface WrittenFilter {
  match: 'all' | 'any';
  conditions: (WrittenFilter | WrittenCondition)[];
}

export type TextField = 'email' | 'domain' | 'name' | 'first_name' | 'last_name' | 'timezone' | 'language';
export type TextSource = { field: TextField } | { property: string };

export const TEXT_OPS = ['equals', 'not_equals', 'contains', 'starts_with', 'ends_with'] as const;
export const NUMBER_OPS = ['equals', 'not_equals', 'gt', 'lt'] as const;
export const TIME_OPS = ['equals', 'not_equals', 'before', 'after'] as const;

/** The question that a condition asks about a contact. Each has an answer for every contact: yes or no. */
export type ContactTest =
  | {
      kind: 'text';
      of: TextSource;
      op: (typeof TEXT_OPS)[number];
      value: string;
      /** With `equals` and `not_equals`: another name of the same. */
      otherName?: string;
    }
  | { kind: 'number'; property: string; op: (typeof NUMBER_OPS)[number]; value: number }
  | { kind: 'boolean'; property: string; is: boolean }
  | { kind: 'time'; of: { field: 'created_at' } | { property: string }; op: (typeof TIME_OPS)[number]; value: Date }
  | { kind: 'presence'; of: TextSource; isSet: boolean }
  | { kind: 'unsubscribed'; is: boolean }
  | { kind: 'list'; id: string; is: boolean }
  | { kind: 'segment'; id: string; is: boolean }
  | { kind: 'mail of send'; verb: 'received' | 'opened' | 'clicked'; id: string; is: boolean }
  | { kind: 'activity'; verb: ActivityVerb; atLeast: number | null; withinMs: number | null }
  | { kind: 'event'; name: string; atLeast: number | null; withinMs: number | null };

export type ActivityVerb = 'sent' | 'opened' | 'clicked';

export const isGroup = (part: Group | Condition): part is Group => 'parts' in part;

/** All conditions of a group, in their order. */
export const conditionsOf = ({ parts }: Group): Condition[] =>
  parts.flatMap((part) => (isGroup(part) ? conditionsOf(part) : [part]));

/** The segments that a filter names. */
export const segmentsIn = (filter: Group): string[] => [
  ...new Set(conditionsOf(filter).flatMap(({ test }) => (test.kind === 'segment' ? [test.id] : []))),
];

export const writtenFilter = ({ match, parts }: Group): WrittenFilter => ({
  match,
  conditions: parts.map((part) => (isGroup(part) ? writtenFilter(part) : part.written)),
});

import type { SegmentCondition, SegmentFilter } from '../../../../api/generated/types.gen.ts';

export const UNITS = ['hours', 'days', 'weeks'] as const;
export type Unit = (typeof UNITS)[number];

/** A condition as it is filled in: every value is a text until it is read for the API. */
export interface ConditionNode {
  kind: 'condition';
  id: string;
  /** `list:`, `opened:` and others end with an id, which is empty until one is chosen. */
  field: string;
  op: string;
  value: string;
  /** Of `at_least`. */
  count: string;
  /** So many of `unit`; empty is at any time. */
  within: string;
  unit: Unit;
}

export interface GroupNode {
  kind: 'group';
  id: string;
  match: 'all' | 'any';
  parts: readonly FilterNode[];
}

export type FilterNode = GroupNode | ConditionNode;

/** The limits of the server. */
export const DEPTH_MAX = 5;
export const CONDITIONS_MAX = 50;

let made = 0;
/** Identifies a node on this page. */
const newId = (): string => {
  made += 1;
  return `n${made}`;
};

export const newCondition = (): ConditionNode => ({
  kind: 'condition',
  id: newId(),
  field: '',
  op: '',
  value: '',
  count: '1',
  within: '',
  unit: 'days',
});

export const newGroup = (match: GroupNode['match'] = 'all'): GroupNode => ({
  kind: 'group',
  id: newId(),
  match,
  parts: [newCondition()],
});

/** The tree with one node changed; a change that gives undefined removes it, and a group that it leaves empty. */
export function changeNode(
  tree: GroupNode,
  id: string,
  change: (node: FilterNode) => FilterNode | undefined,
): GroupNode {
  const changed = changePart(tree, id, change);
  return changed?.kind === 'group' ? changed : { ...tree, parts: [] };
}

function changePart(
  node: FilterNode,
  id: string,
  change: (node: FilterNode) => FilterNode | undefined,
): FilterNode | undefined {
  if (node.id === id) return change(node);
  if (node.kind === 'condition') return node;
  const parts = node.parts.map((part) => changePart(part, id, change)).filter((part) => part !== undefined);
  if (parts.length === 0 && node.parts.length > 0) return undefined;
  return { ...node, parts };
}

/** Conditions and groups below a group, as the server counts them. */
export const countParts = ({ parts }: GroupNode): number =>
  parts.reduce((sum, part) => sum + 1 + (part.kind === 'group' ? countParts(part) : 0), 0);

/** The node that a place of the server means: `filter.conditions[1].conditions[0].op`. */
export function nodeAt(tree: GroupNode, place: string): FilterNode {
  let node: FilterNode = tree;
  for (const [, index] of place.matchAll(/\.conditions\[(\d+)\]/g)) {
    const next: FilterNode | undefined = node.kind === 'group' ? node.parts[Number(index)] : undefined;
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A filter as a tree; undefined unless it has the form of one. The server judges its content. */
export function readTree(filter: unknown): GroupNode | undefined {
  if (!isRecord(filter) || !Array.isArray(filter['conditions'])) return undefined;
  const { match, conditions } = filter;
  if (match !== 'all' && match !== 'any') return undefined;
  const parts = conditions.map((part: unknown) =>
    isRecord(part) && 'conditions' in part ? readTree(part) : readCondition(part),
  );
  if (parts.some((part) => part === undefined)) return undefined;
  return { kind: 'group', id: newId(), match, parts: parts.filter((part) => part !== undefined) };
}

function readCondition(given: unknown): ConditionNode | undefined {
  if (!isRecord(given)) return undefined;
  const { field, op, value, count, within } = given;
  if (typeof field !== 'string' || typeof op !== 'string') return undefined;
  const [, amount = '', unit = 'day'] = /^(\d+) (hour|day|week)s?$/.exec(String(within ?? '')) ?? [];
  return {
    ...newCondition(),
    field,
    op,
    value: value === undefined || value === null ? '' : String(value),
    count: typeof count === 'number' ? String(count) : '1',
    within: amount,
    unit: UNITS.find((name) => name === `${unit}s`) ?? 'days',
  };
}

type Written = SegmentFilter['conditions'][number];

/** The filter for the API. `numeric` tells which fields have numbers. */
export function writeTree({ match, parts }: GroupNode, numeric: (field: string) => boolean): SegmentFilter {
  return {
    match,
    conditions: parts.map(
      (part): Written =>
        // The type of the client has no groups below the second level.
        part.kind === 'group' ? (writeTree(part, numeric) as Written) : writeCondition(part, numeric),
    ),
  };
}

const WITHOUT_VALUE = ['is_set', 'is_not_set', 'is_true', 'is_false', 'at_least', 'none', ''];

/** Whether the operation compares with a value. */
export const takesValue = (op: string): boolean => !WITHOUT_VALUE.includes(op);

export function writeCondition(
  { field, op, value, count, within, unit }: ConditionNode,
  numeric: (field: string) => boolean,
): SegmentCondition {
  const isActivity = op === 'at_least' || op === 'none';
  return {
    field,
    op,
    ...(takesValue(op) ? { value: numeric(field) ? Number(value) : value } : {}),
    ...(op === 'at_least' ? { count: Number(count) } : {}),
    ...(isActivity && within !== '' ? { within: `${within} ${unit}` } : {}),
  };
}

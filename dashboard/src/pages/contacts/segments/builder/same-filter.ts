import type { ContactProperty, SegmentFilter } from '../../../../api/generated/types.gen.ts';
import { kindOf } from './filter-fields.ts';
import { readTree, writeTree } from './filter-tree.ts';

/**
 * Whether two filters say the same: each as the builder would write it, so that neither the order of fields nor
 * `count: 1` that was left out is a change.
 */
export function isSameFilter(a: SegmentFilter, b: SegmentFilter, properties: readonly ContactProperty[]): boolean {
  const isNumeric = (field: string): boolean => kindOf(field, properties) === 'number';
  const written = (filter: SegmentFilter): string => {
    const tree = readTree(filter);
    return JSON.stringify(tree === undefined ? filter : writeTree(tree, isNumeric));
  };
  return written(a) === written(b);
}

import type { SegmentFilter } from '../../../api/generated/types.gen.ts';
import { conditionWords, type Names } from './builder/filter-fields.ts';
import { type GroupNode, readTree, writeCondition } from './builder/filter-tree.ts';

/** A filter in one line: "plan is pro and (Emails opened: at least 3 or Unsubscribed is no)". */
export function filterWords(filter: SegmentFilter, names: Names): string {
  const tree = readTree(filter);
  return tree === undefined ? '' : groupWords(tree, names);
}

function groupWords({ match, parts }: GroupNode, names: Names): string {
  const written = parts.map((part) => {
    if (part.kind === 'group') return part.parts.length > 1 ? `(${groupWords(part, names)})` : groupWords(part, names);
    return conditionWords(
      writeCondition(part, () => false),
      names,
    );
  });
  return written.join(match === 'all' ? ' and ' : ' or ');
}

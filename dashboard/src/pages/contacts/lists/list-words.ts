import type { AddedToList } from '../../../api/generated/types.gen.ts';
import { counted } from '../../../lib/number.ts';

/** The outcome of adding contacts to a list, in words. */
export function addedWords({ added, skipped }: Pick<AddedToList, 'added' | 'skipped'>): string {
  const done = `${counted(added, 'contact is', 'contacts are')} on the list now.`;
  return skipped === 0 ? done : `${done} ${counted(skipped, 'was', 'were')} on it already, or left it.`;
}

import type { LucideIcon } from 'lucide-react';

export interface Command {
  id: string;
  label: string;
  group: string;
  icon: LucideIcon;
  description?: string;
  /** Other words to find it by. */
  also?: string;
  href?: string;
  run?: () => void;
  /** A button of the page, which is pressed when the palette has closed. */
  button?: HTMLElement;
  /** Why the person may not do it: it is shown with this sentence, and does nothing. */
  disabledReason?: string | undefined;
}

export const ACTION = 'Action';

/** All words of the query begin a word of the command, in any order. */
export function matches(
  { label, group, also = '' }: Pick<Command, 'label' | 'group' | 'also'>,
  query: string,
): boolean {
  const words = `${label} ${group} ${also}`.toLowerCase().split(/[\s,-]+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

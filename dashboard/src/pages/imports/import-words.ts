import type { Import, ImportUndo } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';
import { counted, formatCount } from '../../lib/number.ts';
import { ownEntry } from '../../lib/own-entry.ts';

export const IMPORT_STATES: Readonly<Record<Import['status'], { label: string; tone: Tone }>> = {
  queued: { label: 'Waiting', tone: 'info' },
  processing: { label: 'Running', tone: 'info' },
  completed: { label: 'Completed', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
  undone: { label: 'Undone', tone: 'quiet' },
};

export const isRunning = ({ status }: Pick<Import, 'status'>): boolean =>
  status === 'queued' || status === 'processing';

/** The consequence of an undo. The people on a list of contacts may be contacts for another reason. */
export const removesWords = ({ target }: Pick<Import, 'target'>, removes: number): string => {
  const people = counted(removes, 'person', 'people');
  if (target.type !== 'list') return `${people} will be removed from the newsletter, for good.`;
  return `${people} will be taken off the list. Contacts that only this import knew are deleted, for good.`;
};

/** "2 people whom it added stay: 1 has unsubscribed, 1 was changed." */
export function staysWords({ total, ...reasons }: ImportUndo['stays']): string {
  if (total === 0) return '';
  const has = (count: number, done: string) => `${formatCount(count)} ${count === 1 ? 'has' : 'have'} ${done}`;
  const was = (count: number, done: string) => `${formatCount(count)} ${count === 1 ? 'was' : 'were'} ${done}`;
  const parts = [
    { count: reasons.unsubscribed, words: has(reasons.unsubscribed, 'unsubscribed') },
    { count: reasons.confirmed, words: has(reasons.confirmed, 'confirmed since') },
    { count: reasons.asked, words: was(reasons.asked, 'sent the confirmation email') },
    {
      count: reasons.on_other_lists,
      words: `${formatCount(reasons.on_other_lists)} ${reasons.on_other_lists === 1 ? 'is' : 'are'} on other lists`,
    },
    { count: reasons.changed, words: was(reasons.changed, 'changed since') },
  ];
  const told = parts.filter(({ count }) => count > 0).map(({ words }) => words);
  return `${counted(total, 'person whom it added stays', 'people whom it added stay')}: ${told.join(', ')}.`;
}

/** Reasons of rows in words (`docs/imports-and-exports.md`). */
const REASONS: Readonly<Record<string, string>> = {
  unsubscribed: 'Left this list, and stays off it',
  suppressed: 'The address is suppressed',
  erased: 'Was erased from this list',
  subscribed_since: 'Confirmed after the time in the file',
  exists: 'On the list already, nothing to change',
  duplicate: 'Earlier in the same file',
  invalid_email: 'Not an address',
  unknown_status: 'Unknown word in the status column',
  too_long: 'Too long',
  invalid_csv: 'Not valid CSV',
  invalid_json: 'Not valid JSON',
  invalid_text: 'Not valid text',
};

/** The sentence of the server where there is one. */
export const rowReason = (reason: string, message: string): string => {
  if (message !== '') return message;
  return ownEntry(REASONS, reason) ?? reason;
};

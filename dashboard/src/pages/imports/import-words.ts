import type { Import } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';
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

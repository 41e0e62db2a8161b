import type { Broadcast, BroadcastSummary } from '../../api/generated/types.gen.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';

/** Operations whose answers a change to a broadcast makes stale. */
export const BROADCAST_CHANGES = [
  'listBroadcasts',
  'getBroadcast',
  'countBroadcastAudience',
  'previewBroadcast',
  'listBroadcastRecipients',
  'listBroadcastLinks',
  'getCalendar',
  'countRetryableOfBroadcast',
];

type Known = Pick<BroadcastSummary, 'status' | 'stats'>;

/** May be changed: nobody has got anything of it. */
export const isOpen = ({ status }: Pick<Known, 'status'>): boolean => status === 'draft' || status === 'scheduled';

/** Before the sending there is nothing to count. */
export const hasResults = ({ status, stats }: Known): boolean =>
  stats.total > 0 || status === 'sending' || status === 'sent';

/** It waits until somebody resumes it, or until its cause ends. */
export const isPaused = ({ progress }: Pick<Broadcast, 'progress'>): boolean => progress?.state === 'paused';

/** The subject where one is written, as its readers would see it without values. */
export const shownTitle = ({ name, subject }: Pick<BroadcastSummary, 'name' | 'subject'>): string =>
  name || shownSubject(subject ?? '') || 'Untitled broadcast';

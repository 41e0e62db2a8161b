import type { EmailEvents } from '#features/webhooks';
import { eventIds, eventSubjects, loadEvents } from './queries/read-events.ts';

/** What webhooks read of emails and their events. */
export const emailEvents: EmailEvents = { load: loadEvents, ids: eventIds, subjects: eventSubjects };

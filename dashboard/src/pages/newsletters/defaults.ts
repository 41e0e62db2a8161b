/** The colour of a newsletter without one of its own; `platform/pages/accent.ts` of the server has the same. */
export const DEFAULT_ACCENT = '#3d5afe';

/** The server asks for a subject when an issue is made. An issue that still has this one is not sent. */
export const UNTITLED = 'Untitled issue';

/** The form of the names of events that programs report. */
export const EVENT_NAME = '[A-Za-z0-9][A-Za-z0-9_.-]{0,99}';

/** The newest times that are kept of each event of a contact. */
export const TIMES_KEPT = 50;

/** Names that are kept of each contact, the newest. */
export const NAMES_KEPT = 100;

/**
 * The beginning of the semantic keys of clicks: they sort by time, so that the index on keys finds those of a few
 * seconds. All times have the same form, so any collation sorts them alike.
 */
export const clickKeyAt = (at: Date): string => `click ${at.toISOString()}`;

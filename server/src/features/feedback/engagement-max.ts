/**
 * At most so many opens, and as many clicks, of an email are recorded: a link that a robot follows a hundred thousand
 * times is one fact, and must not fill the tables. The counters stop there too, so that they equal the rows.
 */
export const ENGAGEMENT_MAX = 1_000;

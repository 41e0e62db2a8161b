/** The proof that a person did something themselves: kept with their consent as proof. */
export interface Evidence {
  ip: string | null;
  userAgent: string | null;
  /** The page whose form or link it was. */
  url: string | null;
  /** Which wording of the form or the email they saw. */
  formVersion: string | null;
  /** The link that was followed. */
  tokenId?: string;
  /** How a page was asked for: whoever posts has pressed a button, whoever gets has followed a link. */
  method?: 'GET' | 'POST';
}

/** For what a program does by itself: a cascade, a purge. */
export const noEvidence: Evidence = { ip: null, userAgent: null, url: null, formVersion: null };

const USER_AGENT_CHARS_MAX = 400;
const URL_CHARS_MAX = 1_000;

/** Bounded, and without what the database refuses: headers are anybody's text. */
export const storableEvidence = (given: Evidence): Evidence => ({
  ...given,
  userAgent: cut(given.userAgent, USER_AGENT_CHARS_MAX),
  url: cut(given.url, URL_CHARS_MAX),
  formVersion: cut(given.formVersion, USER_AGENT_CHARS_MAX),
});

const cut = (text: string | null, max: number): string | null =>
  text === null ? null : text.slice(0, max).toWellFormed().replaceAll('\u0000', '');

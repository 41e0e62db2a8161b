/**
 * Why an open or click counts as a machine's: what the request said of itself, or what the clicks around it show.
 * Machines are told apart and kept, never dropped.
 *
 * - `prefetch`: the request says that nobody asked for it yet.
 * - `no_user_agent`, `bot_user_agent`: a program, a crawler, a preview of a chat, or a scanner that says so.
 * - `apple_mail_privacy`: Apple's servers load every picture of every mail, read or not.
 * - `too_soon`: within three seconds of the hand-off, while the message is still being looked at on its way.
 * - `burst`: three links of one email within five seconds from one client.
 */
export type BotReason = 'prefetch' | 'no_user_agent' | 'bot_user_agent' | 'apple_mail_privacy' | 'too_soon' | 'burst';

export type EngagementType = 'open' | 'click';

/** The data of an open event: the event_data of the event. */
export interface OpenDetails {
  timestamp: string;
  ipAddress: string;
  userAgent: string;
  is_bot: boolean;
  /** null when a person did it, as far as we can tell. */
  bot_reason: BotReason | null;
  /** The first of its kind of this email, machines left out. */
  first: boolean;
}

/** The data of a click event. */
export interface ClickDetails extends OpenDetails {
  link: string;
  linkTags: Record<string, string[]>;
}

/** Longest user agent that is kept, in characters. Honest ones are half as long. */
export const USER_AGENT_CHARS_MAX = 512;

import {
  CLICK_SENDER_CHARS,
  clickSender,
  clickTarget,
  clickTokenChars,
  openToken,
  type TrackedContent,
  type TrackedEmail,
} from './token.ts';

/** The base and key of tracked links. */
export interface TrackingUrls {
  /** `https://host` or `https://host/path`, without a slash at the end. */
  baseUrl: string;
  key: Buffer;
}

/** Longer addresses are cut or refused by mail programs; a link that would become one is left as it is. */
export const LINK_CHARS_MAX = 2_000;

/** The parts of an email's links and pixel that are its own. Each part is signed when it is asked for, and once. */
export class Trail {
  readonly #email: TrackedEmail & TrackedContent;
  readonly #key: Buffer;
  #sender: string | undefined;

  constructor(email: TrackedEmail & TrackedContent, key: Buffer) {
    this.#email = email;
    this.#key = key;
  }

  /** Stands in every link, between its start and its target. */
  get sender(): string {
    this.#sender ??= clickSender(this.#email, this.#key);
    return this.#sender;
  }

  get pixel(): string {
    return openToken(this.#email, this.#key);
  }
}

/** How many characters the parts of a trail have: letters, digits, `-` and `_`. */
export const TRAIL_CHARS = { sender: CLICK_SENDER_CHARS, pixel: 60 } as const;

/** A tracked link, but for the part of its email in the middle. */
export const clickUrlParts = (urls: TrackingUrls, content: TrackedContent, target: string): [string, string] => [
  clickUrlStart(urls.baseUrl),
  clickTarget(content, target, urls.key),
];

/** The tracked link of one email to a target. */
export function trackedUrl(urls: TrackingUrls, content: TrackedContent, target: string, trail: Trail): string {
  const [start, end] = clickUrlParts(urls, content, target);
  return start + trail.sender + end;
}

/** The address of the pixel, but for its token in the middle. */
export const pixelUrlParts = ({ baseUrl }: TrackingUrls): [string, string] => [`${baseUrl}/t/o/`, '.gif'];

/** How long the tracked link to a target is, in characters. */
export const clickUrlChars = (baseUrl: string, target: string): number =>
  clickUrlStart(baseUrl).length + clickTokenChars(target);

const clickUrlStart = (baseUrl: string): string => `${baseUrl}/t/c/`;

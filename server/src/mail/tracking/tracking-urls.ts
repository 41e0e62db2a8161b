import { clickToken, clickTokenChars, openToken, type TrackedEmail } from './token.ts';

/** The base and key of tracked links. */
export interface TrackingUrls {
  /** `https://host` or `https://host/path`, without a slash at the end. */
  baseUrl: string;
  key: Buffer;
}

/** Longer addresses are cut or refused by mail programs; a link that would become one is left as it is. */
export const LINK_CHARS_MAX = 2_000;

export const pixelUrl = (urls: TrackingUrls, email: TrackedEmail): string =>
  `${urls.baseUrl}/t/o/${openToken(email, urls.key)}.gif`;

export const clickUrl = (urls: TrackingUrls, email: TrackedEmail, target: string): string =>
  `${clickUrlStart(urls.baseUrl)}${clickToken(email, target, urls.key)}`;

/** How long the tracked link to a target is, in characters. */
export const clickUrlChars = (baseUrl: string, target: string): number =>
  clickUrlStart(baseUrl).length + clickTokenChars(target);

const clickUrlStart = (baseUrl: string): string => `${baseUrl}/t/c/`;

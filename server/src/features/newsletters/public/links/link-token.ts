import { randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { readClaims, type SignedClaims, signClaims } from '#platform/crypto/signed-claims.ts';
import { idFromBytes, idToBytes, isUuid } from '#platform/ids.ts';

/**
 * Links of newsletter mail are compact JWTs (RFC 7519), HS256. The key is derived per purpose and the purpose is a
 * claim besides, so a link to confirm cannot unsubscribe. `kid` names the master secret: links in old mail go on
 * working after it was changed, as long as it is listed among the previous ones. The slug is no part of a link and
 * may change.
 */
export type LinkPurpose = 'nl_confirm' | 'nl_unsub' | 'nl_prefs' | 'nl_data';

/** The person that a link is about. */
export interface LinkClaims {
  workspaceId: string;
  newsletterId: string;
  subscriberId: string;
  /** The issue in whose email the link stood. */
  issueId?: string;
  /** Of the subscriber when the link was made: a link to confirm from before an unsubscribe brings nobody back. */
  generation?: number;
}

export interface ReadLink extends LinkClaims {
  /** Names this one link: the evidence of a consent. */
  tokenId: string;
  issuedAt: Date;
}

/** A link that does nothing. `claims` only when it was once good and has expired: whom a new one may be sent to. */
export class BadLink extends Error {
  readonly claims: ReadLink | null;

  constructor(claims: ReadLink | null = null) {
    super(claims === null ? 'the link is not one of ours' : 'the link has expired');
    this.claims = claims;
  }
}

const TOKEN_ID_BYTES = 9;
/** Seconds; a purpose without an entry never expires: who wants to leave may do so with any mail they ever got. */
const LIFE_SECONDS: Partial<Record<LinkPurpose, number>> = { nl_confirm: 7 * 86_400, nl_data: 86_400 };
// Servers of one installation may differ by this much.
const CLOCK_TOLERANCE_SECONDS = 60;
const PATHS: Record<LinkPurpose, string> = {
  nl_confirm: '/api/n/confirm',
  nl_unsub: '/api/n/unsubscribe',
  nl_prefs: '/api/n/preferences',
  nl_data: '/api/n/data',
};

const keyPurpose = (purpose: LinkPurpose): string => `newsletter-link:${purpose}`;

/** 22 characters in place of 36: a List-Unsubscribe header has room for 870. */
const shortId = (id: string): string => idToBytes(id).toString('base64url');

/** A link to confirm is good for 7 days, one to somebody's data for a day, the others for ever. */
export async function signLink(secrets: Secrets, purpose: LinkPurpose, claims: LinkClaims, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const lifeSeconds = LIFE_SECONDS[purpose];
  return signClaims(
    secrets.key(keyPurpose(purpose)),
    { kid: secrets.masterId },
    {
      p: purpose,
      w: shortId(claims.workspaceId),
      n: shortId(claims.newsletterId),
      s: shortId(claims.subscriberId),
      ...(claims.issueId === undefined ? {} : { i: shortId(claims.issueId) }),
      ...(claims.generation === undefined ? {} : { g: claims.generation }),
      iat: issuedAt,
      ...(lifeSeconds === undefined ? {} : { exp: issuedAt + lifeSeconds }),
      jti: randomBytes(TOKEN_ID_BYTES).toString('base64url'),
    },
  );
}

/**
 * The content of a link if it is ours, for this purpose, unchanged and not expired. Throws BadLink for anything else.
 */
export async function readLink(secrets: Secrets, purpose: LinkPurpose, token: string, now: Date): Promise<ReadLink> {
  const payload = await readClaims(token, (kid) => secrets.keyUnder(kid, keyPurpose(purpose)), {
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    // Expiry is judged below: an expired link still says to whom a new one may be sent.
    currentDate: new Date(0),
  });
  if (payload === undefined) throw new BadLink();
  const link = linkOf(payload, purpose, now);
  if (payload.exp !== undefined && now.getTime() >= payload.exp * 1_000) throw new BadLink(link);
  return link;
}

/** Where a link leads, below the address that people reach us at. */
export const linkUrl = (dashboardUrl: string, purpose: LinkPurpose, token: string): string =>
  `${dashboardUrl}${PATHS[purpose]}?token=${token}`;

/** Even what carries our signature is believed only in the shape that we write. */
function linkOf(payload: SignedClaims, purpose: LinkPurpose, now: Date): ReadLink {
  const { p, w, n, s, i, g, iat, exp, jti } = payload;
  const mustExpire = LIFE_SECONDS[purpose] !== undefined;
  const isGood =
    p === purpose &&
    isSeconds(iat) &&
    iat * 1_000 <= now.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000 &&
    (exp === undefined ? !mustExpire : isSeconds(exp)) &&
    payload.nbf === undefined &&
    (g === undefined || isSeconds(g)) &&
    typeof jti === 'string' &&
    /^[A-Za-z0-9_-]{12}$/.test(jti);
  if (!isGood) throw new BadLink();
  return {
    workspaceId: longId(w),
    newsletterId: longId(n),
    subscriberId: longId(s),
    ...(i === undefined ? {} : { issueId: longId(i) }),
    ...(typeof g === 'number' ? { generation: g } : {}),
    tokenId: jti,
    issuedAt: new Date(iat * 1_000),
  };
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function longId(short: unknown): string {
  const bytes = typeof short === 'string' && short.length === 22 ? Buffer.from(short, 'base64url') : Buffer.alloc(0);
  const id = bytes.length === 16 ? idFromBytes(bytes) : '';
  if (!isUuid(id)) throw new BadLink();
  return id;
}

import { randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { readClaims, type SignedClaims, signClaims } from '#platform/crypto/signed-claims.ts';
import { idFromBytes, idToBytes, isUuid } from '#platform/ids.ts';
import { openAddress, sealAddress } from './sealed-address.ts';

/**
 * Links of mail to a list are compact JWTs (RFC 7519), HS256. The key is derived per purpose and the purpose is a
 * claim besides, so a link to confirm cannot unsubscribe. `kid` names the master secret: links in old mail go on
 * working after it was changed, as long as it is listed among the previous ones. The address of a list is no part of a
 * link and may change.
 */
export interface PersonLinks<Purpose extends string> {
  /** The key of a purpose is derived from this and the purpose. */
  keyPurpose: string;
  purposes: Record<Purpose, LinkPurpose>;
}

interface LinkPurpose {
  /** Where the link leads, below the address that people reach us at. */
  path: string;
  /** Left out: it never expires. People who want to leave may do so with any mail they ever got. */
  lifeSeconds?: number;
}

/** The person that a link is about. */
export interface PersonClaims {
  workspaceId: string;
  listId: string;
  personId: string;
  /** The mailing in whose email the link stood. */
  mailingId?: string;
  /** Of the person when the link was made: a link to confirm from before an unsubscribe brings nobody back. */
  generation?: number;
  /** A hash of the address that it was sent to: for a link that only the owner of that address may use. */
  addressHash?: string;
  /** The address that the link was mailed to, sealed: it is known when the record of the person is gone. */
  address?: string;
  /** The mail that it stands in was made with a test key, and what follows from the link is a test, too. */
  isTest?: boolean;
}

export interface ReadPersonLink extends PersonClaims {
  /** Names this one link: the evidence of a consent. */
  tokenId: string;
  issuedAt: Date;
  /** It was good once: a new one may be sent to the person. */
  isOver: boolean;
}

const TOKEN_ID_BYTES = 9;
// Servers of one installation may differ by this much.
const CLOCK_TOLERANCE_SECONDS = 60;

/** Asking for so few random bytes costs as much as the signature: they are kept in stock. Each is used once. */
const STOCK = 128 * TOKEN_ID_BYTES;
let stock = Buffer.alloc(0);

function nextTokenId(): string {
  if (stock.length === 0) stock = randomBytes(STOCK);
  const id = stock.toString('base64url', 0, TOKEN_ID_BYTES);
  stock = stock.subarray(TOKEN_ID_BYTES);
  return id;
}

const addressKeyOf = ({ keyPurpose }: PersonLinks<string>): string => `${keyPurpose}:address`;
const keyOf = ({ keyPurpose }: PersonLinks<string>, purpose: string): string => `${keyPurpose}:${purpose}`;

/** 22 characters in place of 36: a List-Unsubscribe header has room for 870. */
const shortId = (id: string): string => idToBytes(id).toString('base64url');

export async function signPersonLink<Purpose extends string>(
  links: PersonLinks<Purpose>,
  secrets: Secrets,
  purpose: Purpose,
  claims: PersonClaims,
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const { lifeSeconds } = links.purposes[purpose];
  const { address } = claims;
  const sealed = address === undefined ? undefined : sealAddress(secrets.key(addressKeyOf(links)), address);
  return signClaims(
    secrets.key(keyOf(links, purpose)),
    { kid: secrets.masterId },
    {
      p: purpose,
      w: shortId(claims.workspaceId),
      n: shortId(claims.listId),
      s: shortId(claims.personId),
      ...(claims.mailingId === undefined ? {} : { i: shortId(claims.mailingId) }),
      ...(claims.generation === undefined ? {} : { g: claims.generation }),
      ...(claims.addressHash === undefined ? {} : { a: claims.addressHash }),
      ...(sealed === undefined ? {} : { e: sealed }),
      ...(claims.isTest === true ? { t: 1 } : {}),
      iat: issuedAt,
      ...(lifeSeconds === undefined ? {} : { exp: issuedAt + lifeSeconds }),
      jti: nextTokenId(),
    },
  );
}

/**
 * The content of a link if it is ours, for this purpose and unchanged. Undefined for anything else.
 */
export async function readPersonLink<Purpose extends string>(
  links: PersonLinks<Purpose>,
  secrets: Secrets,
  purpose: Purpose,
  token: string,
  now: Date,
): Promise<ReadPersonLink | undefined> {
  let addressKey: Buffer | undefined;
  const keyUnder = (kid: string): Buffer | undefined => {
    addressKey = secrets.keyUnder(kid, addressKeyOf(links));
    return secrets.keyUnder(kid, keyOf(links, purpose));
  };
  const payload = await readClaims(token, keyUnder, {
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    // Expiry is judged below: an expired link still says to whom a new one may be sent.
    currentDate: new Date(0),
  });
  const mustExpire = links.purposes[purpose].lifeSeconds !== undefined;
  const link = payload === undefined ? undefined : linkOf(payload, { purpose, mustExpire, now });
  if (link === undefined || addressKey === undefined || typeof payload?.['e'] !== 'string') return link;
  const address = openAddress(addressKey, payload['e']);
  return address === undefined ? link : { ...link, address };
}

/**
 * The list that a link names, whoever made it: for a link whose end a mail program has cut off, so that its reader can
 * ask for another. Nothing else may follow from it.
 */
export function listNamedBy(token: string): { workspaceId: string; listId: string } | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    if (typeof claims !== 'object' || claims === null) return undefined;
    const { w, n }: { w?: unknown; n?: unknown } = claims;
    const [workspaceId, listId] = [longId(w), longId(n)];
    return workspaceId === undefined || listId === undefined ? undefined : { workspaceId, listId };
  } catch {
    return undefined;
  }
}

/** Even what carries our signature is believed only in the shape that we write. */
function linkOf(
  payload: SignedClaims,
  { purpose, mustExpire, now }: { purpose: string; mustExpire: boolean; now: Date },
): ReadPersonLink | undefined {
  const { p, w, n, s, i, g, a, t, iat, exp, jti } = payload;
  const [workspaceId, listId, personId] = [w, n, s].map(longId);
  const mailingId = i === undefined ? undefined : longId(i);
  if (
    p !== purpose ||
    !isSeconds(iat) ||
    iat * 1_000 > now.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000 ||
    !(exp === undefined ? !mustExpire : isSeconds(exp)) ||
    payload.nbf !== undefined ||
    !(g === undefined || isSeconds(g)) ||
    typeof jti !== 'string' ||
    !/^[A-Za-z0-9_-]{12}$/.test(jti) ||
    workspaceId === undefined ||
    listId === undefined ||
    personId === undefined ||
    (i !== undefined && mailingId === undefined)
  ) {
    return undefined;
  }
  return {
    workspaceId,
    listId,
    personId,
    ...(mailingId === undefined ? {} : { mailingId }),
    ...(typeof g === 'number' ? { generation: g } : {}),
    ...(typeof a === 'string' ? { addressHash: a } : {}),
    ...(t === 1 ? { isTest: true } : {}),
    tokenId: jti,
    issuedAt: new Date(iat * 1_000),
    isOver: exp !== undefined && now.getTime() >= exp * 1_000,
  };
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function longId(short: unknown): string | undefined {
  const bytes = typeof short === 'string' && short.length === 22 ? Buffer.from(short, 'base64url') : Buffer.alloc(0);
  const id = bytes.length === 16 ? idFromBytes(bytes) : '';
  return isUuid(id) ? id : undefined;
}

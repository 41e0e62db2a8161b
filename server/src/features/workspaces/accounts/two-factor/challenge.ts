import { createHash } from 'node:crypto';
import { readToken, signToken } from '#platform/crypto/signed-bytes.ts';
import type { Ctx } from '#platform/http/context.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';
import type { User } from '../user.ts';

/** User (16 bytes), the second of its end (4), and of the hash of the password (8). */
const FORM = { macBytes: 32, payloadBytes: 28 };
const VALID_MS = 5 * 60_000;

type Signing = Pick<Ctx, 'secrets' | 'clock'>;
type WithPassword = Pick<User, 'id' | 'passwordHash'>;

const keyOf = ({ secrets }: Signing): Buffer => secrets.key('two-factor challenge');

/** A new password ends the challenges of the old one. */
const markOf = ({ passwordHash }: WithPassword): Buffer =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest()
    .subarray(0, 8);

export interface Challenge {
  challenge: string;
  expiresAt: Date;
}

/** Says that somebody has just proved the password of this account, for five minutes. */
export function signChallenge(ctx: Signing, user: WithPassword): Challenge {
  const expiresAt = new Date(ctx.clock.now().getTime() + VALID_MS);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(Math.floor(expiresAt.getTime() / 1_000));
  return { challenge: signToken(keyOf(ctx), Buffer.concat([idToBytes(user.id), end, markOf(user)]), FORM), expiresAt };
}

/** Whose password was proved; undefined: the challenge is not ours, or has expired. */
export function readChallenge(
  ctx: Signing,
  text: string,
): { userId: string; isOf(user: WithPassword): boolean } | undefined {
  const claims = readToken(keyOf(ctx), text, FORM);
  if (claims === undefined || claims.readUInt32BE(16) * 1_000 < ctx.clock.now().getTime()) return undefined;
  return { userId: idFromBytes(claims), isOf: (user) => markOf(user).equals(claims.subarray(20, 28)) };
}

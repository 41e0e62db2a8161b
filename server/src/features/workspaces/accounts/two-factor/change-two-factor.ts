import { randomBytes } from 'node:crypto';
import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../../security-log/record-security-event.ts';
import { holdProved, proveCurrentPassword } from '../passwords/prove-current-password.ts';
import { proveAgain } from './prove-again.ts';
import {
  deleteRecoveryCodes,
  deleteTwoFactor,
  findTwoFactor,
  insertRecoveryCodes,
  markEnabled,
  putSecret,
} from './queries.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { base32, otpauthUrl, stepOfCode } from './totp.ts';
import { type CodeKind, codeLimits, forgiveCodes, SEAL, wrongCode } from './use-code.ts';

/** The length of the hash (RFC 4226, 4). */
const SECRET_BYTES = 20;

/** Makes a secret for the app of the caller. Nothing changes at sign-in until a code of it was given. */
export async function setUpTwoFactor(ctx: Ctx, currentPassword: string) {
  const user = await proveCurrentPassword(ctx, currentPassword);
  const secret = randomBytes(SECRET_BYTES);
  await inTransaction(ctx.db, async (tx) => {
    await holdProved(tx, user);
    const put = await putSecret(tx, user.id, ctx.secrets.seal(SEAL, secret), ctx.clock.now());
    if (!put) throw conflict('Two-factor sign-in is on already. Turn it off first.');
  });
  return { secret: base32(secret), otpauth_url: otpauthUrl(secret, user.email) };
}

/** Turns it on, with the first code of the app, and answers the recovery codes, which are shown only now. */
export async function enableTwoFactor(ctx: Ctx, userId: string, code: string): Promise<string[]> {
  const now = ctx.clock.now();
  const found = await findTwoFactor(ctx.db, userId);
  if (found === undefined) throw conflict('Set two-factor sign-in up first: POST /auth/2fa/setup.');
  if (found.enabledAt !== null) throw conflict('Two-factor sign-in is on already.');
  await countOrRefuse(ctx, codeLimits(userId, ctx.ip), now);
  const step = stepOfCode(ctx.secrets.open(SEAL, found.secret), code.replace(/\s/g, ''), now);
  if (step === undefined) throw wrongCode();
  const { codes, hashes } = newRecoveryCodes();
  await inTransaction(ctx.db, async (tx) => {
    if (!(await markEnabled(tx, userId, found.secret, step, now))) throw conflict('It was set up again meanwhile.');
    await insertRecoveryCodes(tx, userId, hashes);
    await recordAccountEvent(tx, ctx, userId, {
      action: 'user.two_factor_enabled',
      targetType: 'user',
      targetId: userId,
    });
  });
  await forgiveCodes(ctx, userId);
  return codes;
}

/** Answers ten new recovery codes; those before stop. It takes the password and a code, as turning it off does. */
export async function replaceRecoveryCodes(
  ctx: Ctx,
  input: { currentPassword: string; code: string },
): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes();
  await withPasswordAndCode(ctx, input, async (tx, userId, kind) => {
    await deleteRecoveryCodes(tx, userId);
    await insertRecoveryCodes(tx, userId, hashes);
    await recordAccountEvent(tx, ctx, userId, {
      action: 'user.recovery_codes_replaced',
      targetType: 'user',
      targetId: userId,
      details: { with: kind },
    });
  });
  return codes;
}

/** Turns it off. A session that was left open is not enough: it takes the password and a code. */
export async function disableTwoFactor(ctx: Ctx, input: { currentPassword: string; code: string }): Promise<void> {
  await withPasswordAndCode(ctx, input, async (tx, userId, kind) => {
    await deleteTwoFactor(tx, userId);
    await recordAccountEvent(tx, ctx, userId, {
      action: 'user.two_factor_disabled',
      targetType: 'user',
      targetId: userId,
      details: { with: kind },
    });
  });
}

/** As `proveAgain`, for what is there only while two-factor sign-in is on. */
const withPasswordAndCode = (
  ctx: Ctx,
  input: { currentPassword: string; code: string },
  act: (tx: Db, userId: string, kind: CodeKind) => Promise<void>,
): Promise<void> =>
  proveAgain(ctx, input, async (tx, user, kind) => {
    if (kind === undefined) throw conflict('Two-factor sign-in is not on.');
    await act(tx, user.id, kind);
  });

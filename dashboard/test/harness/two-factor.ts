import { createHmac } from 'node:crypto';
import assert from 'node:assert/strict';
import type { RunningDashboard } from './dashboard.ts';

/** An app of codes: RFC 6238 as all of them read it. `ahead` is the code of so many half minutes from now. */
export function codeOfApp(secret: string, ahead = 0): string {
  const bits = Array.from(secret, (sign) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
  ).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', bytes).update(counter).digest();
  const value = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(value % 1_000_000).padStart(6, '0');
}

interface TwoFactor {
  secret: string;
  recoveryCodes: string[];
  turnOff(recoveryCode: string): Promise<void>;
}

/** The owner asks for two factors from now on. */
export async function turnTwoFactorOn({ posthorn, owner }: RunningDashboard): Promise<TwoFactor> {
  const call = async (path: string, body: unknown, token?: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${posthorn.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, path);
    return (await answer.json()) as Record<string, unknown>; // answers of our own API
  };
  const token = String((await call('/auth/login', owner))['token']);
  const secret = String((await call('/auth/2fa/setup', { current_password: owner.password }, token))['secret']);
  const enabled = await call('/auth/2fa/enable', { code: codeOfApp(secret) }, token);
  return {
    secret,
    recoveryCodes: enabled['recovery_codes'] as string[],
    async turnOff(code) {
      await call('/auth/2fa/disable', { current_password: owner.password, code }, token);
    },
  };
}

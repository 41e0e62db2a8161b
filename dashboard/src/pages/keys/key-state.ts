import type { ApiKey } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked';

export function stateOf({ enabled, revoked_at, expires_at }: ApiKey, now: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && Date.parse(expires_at) <= now) return 'expired';
  return enabled ? 'active' : 'disabled';
}

export const STATES: Readonly<Record<KeyState, { label: string; tone: Tone }>> = {
  active: { label: 'Active', tone: 'ok' },
  disabled: { label: 'Disabled', tone: 'warn' },
  expired: { label: 'Expired', tone: 'quiet' },
  revoked: { label: 'Revoked', tone: 'quiet' },
};

/** Which actions a key of each state allows (`server/src/features/api-keys/change-api-key.ts`). */
const KEY_CAN = {
  change: { states: ['active', 'disabled', 'expired'], why: 'A revoked key cannot be changed.' },
  rotate: { states: ['active'], why: 'Only an active key can be rotated.' },
  revoke: { states: ['active', 'disabled', 'expired'], why: 'This key is revoked already.' },
} as const satisfies Record<string, { states: readonly KeyState[]; why: string }>;

/** Undefined when the state allows it; otherwise the reason. */
export function whyNotInState(action: keyof typeof KEY_CAN, state: KeyState): string | undefined {
  const { states, why }: { states: readonly KeyState[]; why: string } = KEY_CAN[action];
  return states.includes(state) ? undefined : why;
}

/** "ph_live_7Qm2…x9Lb": enough to recognise a key, and never enough to use it. */
export const shownKey = ({ prefix, last4 }: ApiKey): string => `${prefix}…${last4}`;

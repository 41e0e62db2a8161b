import type { Setting } from './setting.ts';
import { SETTINGS } from './settings-table.ts';

/** A setting as the operator sees it. */
export interface SettingInForce {
  name: string;
  meaning: string;
  source: 'environment' | 'file' | 'default';
  /** null: there is none, or it is a secret. */
  value: string | null;
  isSecret: boolean;
  /** As the documentation shows it. */
  fallback: string;
}

/** Every setting with its value as it was given. No part of a secret is in it, and no password of an address. */
export const settingsInForce = (
  env: Readonly<Record<string, string | undefined>>,
  fromFile: ReadonlySet<string>,
): SettingInForce[] =>
  Object.values(SETTINGS).map((setting) => {
    const { env: name, meaning, secret: isSecret, shown: fallback } = setting;
    const given = env[name]?.trim() ?? '';
    if (given === '') return { name, meaning, source: 'default', value: fallbackOf(setting), isSecret, fallback };
    const source = fromFile.has(name) ? 'file' : 'environment';
    return { name, meaning, source, value: visibleValue(setting, given), isSecret, fallback };
  });

type Shown = Pick<Setting<unknown>, 'fallback' | 'secret' | 'isAddress'>;

function fallbackOf({ fallback, secret, isAddress }: Shown): string | null {
  if (secret && !isAddress) return null;
  const text = Array.isArray(fallback) ? fallback.join(',') : String(fallback ?? '');
  return text === '' ? null : text;
}

/** The part of a value that may be seen; null: nothing of it. */
export function visibleValue({ secret, isAddress }: Omit<Shown, 'fallback'>, text: string): string | null {
  if (secret) return isAddress ? placeOf(text) : null;
  // The user's name and password of an address, however it is written: both sides of a colon in front of an @.
  return text.replace(/(\/\/[^\s/?#@:]*):[^\s/?#]*@/g, '$1:••••@');
}

/**
 * Scheme, host and path: no user, no password, no query. A password with signs that belong into an address can be read
 * as another part of it. So an @ that does not end a user's name hides everything.
 */
function placeOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, username, password } = new URL(text);
  const signs = text.split('@').length - 1;
  if (signs > (username === '' && password === '' ? 0 : 1)) return null;
  return host === '' ? protocol : `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

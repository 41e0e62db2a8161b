import type { ApiKey, CreateApiKeyRequest } from '../../api/generated/types.gen.ts';
import { asLocalInput, fromLocalInput } from '../../lib/time.ts';
import { ALL_SCOPES } from './scopes.ts';

/** The fields of the form have the names of the API, so that a refused one shows its sentence. */
export interface KeyValues extends Record<string, unknown> {
  name: string;
  scopes: string[];
  /** One network in each line. */
  allowed_ips: string;
  /** As `<input type="datetime-local">` writes it: the person's own time. */
  expires_at: string;
  'limits.hourly': string;
  'limits.daily': string;
  'limits.monthly': string;
}

export const EMPTY_KEY: KeyValues = {
  name: '',
  scopes: ['emails:send', 'emails:read', 'scheduled:write', 'templates:read'],
  allowed_ips: '',
  expires_at: '',
  'limits.hourly': '',
  'limits.daily': '',
  'limits.monthly': '',
};

/** A new key as a link of another page asks for it: `/keys/new?name=SMTP relay&scopes=emails:send`. */
export function presetKey({ name, scopes }: { name?: string; scopes?: string }): KeyValues {
  const known = (scopes ?? '').split(',').filter((scope) => ALL_SCOPES.includes(scope));
  return { ...EMPTY_KEY, name: name ?? '', ...(known.length === 0 ? {} : { scopes: known }) };
}

export const valuesOfKey = ({ name, scopes, allowed_ips, expires_at, limits }: ApiKey): KeyValues => ({
  name,
  scopes: [...scopes],
  allowed_ips: allowed_ips.join('\n'),
  expires_at: expires_at === null ? '' : asLocalInput(expires_at),
  'limits.hourly': String(limits.hourly),
  'limits.daily': String(limits.daily),
  'limits.monthly': String(limits.monthly),
});

/** The body of the request. An empty limit is left out: the server has a default. 0 means no limit. */
export function bodyOfKey(values: KeyValues): CreateApiKeyRequest {
  const limits = Object.fromEntries(
    (['hourly', 'daily', 'monthly'] as const)
      .filter((tier) => values[`limits.${tier}`].trim() !== '')
      .map((tier) => [tier, Number(values[`limits.${tier}`])]),
  );
  return {
    name: values.name.trim(),
    scopes: values.scopes,
    allowed_ips: values.allowed_ips.split(/[\s,]+/).filter((range) => range !== ''),
    expires_at: values.expires_at === '' ? null : fromLocalInput(values.expires_at),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Embedding } from '#platform/pages/layout.ts';

/** The faults in the submitted form. */
export type FormProblem =
  | 'email_missing'
  | 'email_invalid'
  | 'email_refused'
  | 'name_invalid'
  | 'too_fast'
  | 'not_human';

/**
 * The fields of a form that was posted, for the page that its browser is sent to: in the address, because pages have no
 * cookies, and encrypted, because addresses are written to logs.
 */
export interface FormState {
  email?: string | undefined;
  name?: string | undefined;
  source?: string | undefined;
  problem?: FormProblem | undefined;
  /** The email was asked for again. */
  again?: boolean | undefined;
}

const PURPOSE = 'newsletter-form-state';
const LIFE_MS = 3_600_000;
const CHARS_MAX = 4_000;

/** For the query of an address. */
export function sealFormState(secrets: Secrets, state: FormState, now: Date): string {
  const kept = JSON.stringify({ ...state, at: now.getTime() });
  return secrets.seal(PURPOSE, Buffer.from(kept)).toString('base64url');
}

/** Empty for anything that is not ours, and after an hour: a page without it asks again. */
export function openFormState(secrets: Secrets, sealed: string | undefined, now: Date): FormState {
  if (sealed === undefined || sealed.length > CHARS_MAX) return {};
  try {
    const kept: FormState & { at: number } = JSON.parse(
      secrets.open(PURPOSE, Buffer.from(sealed, 'base64url')).toString(),
    );
    return now.getTime() - kept.at < LIFE_MS ? kept : {};
  } catch {
    return {};
  }
}

/** How the page around a frame wants it, in the address of the frame. Light when left out, as most sites are. */
export const embeddingOf = ({ theme, layout }: { theme?: unknown; layout?: unknown }): Embedding => ({
  theme: theme === 'dark' || theme === 'auto' ? theme : 'light',
  layout: layout === 'line' ? 'line' : 'full',
});

/** The same in a hidden field of its form. */
export const embedField = ({ theme, layout }: Embedding): string => `${layout}-${theme}`;

/** null: a page of its own. */
export function readEmbedField(field: unknown): Embedding | null {
  if (typeof field !== 'string' || field === '') return null;
  const [layout, theme] = field.split('-');
  return embeddingOf({ theme, layout });
}

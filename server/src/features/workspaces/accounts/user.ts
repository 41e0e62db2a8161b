import { AddressError, identityOf } from '#mail/addresses/addresses.ts';
import { invalid } from '#platform/errors/app-error.ts';

export interface User {
  id: string;
  email: string;
  name: string | null;
  passwordHash: string | null;
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

export const PASSWORD_CHARS_MIN = 8;
export const PASSWORD_CHARS_MAX = 256;

/** The form an account is found by; 400 naming the field for anything that is no mailbox. */
export function readEmail(text: string, param = 'email'): string {
  try {
    return identityOf(text.trim());
  } catch (error) {
    if (error instanceof AddressError) throw invalid(param, `${param} must be an email address. ${error.reason}`);
    throw error;
  }
}

export const userView = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  email_verified: user.emailVerifiedAt !== null,
  created_at: user.createdAt.toISOString(),
});

/** The actor for the security log, where a request proves an identity without a token. */
export const actorOfUser = (user: Pick<User, 'id' | 'email'>) =>
  ({ type: 'user', id: user.id, email: user.email }) as const;

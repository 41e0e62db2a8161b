import { randomUUID } from 'node:crypto';

const CLIENT_FORM = /^req_[A-Za-z0-9_-]{8,64}$/;

/** The caller's id when it has our form, else a fresh one (docs/errors.md). */
export function requestIdFor(header: string | string[] | undefined): string {
  return typeof header === 'string' && CLIENT_FORM.test(header) ? header : `req_${randomUUID().replaceAll('-', '')}`;
}

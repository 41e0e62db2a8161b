import { headerOf, type Visitor } from '#platform/http/visitor.ts';
import type { Evidence } from './evidence.ts';

/** The fields by which a form describes itself. */
export interface FormOrigin {
  url?: string | null;
  form_version?: string;
}

/** The proof that a person did this: kept with their consent. */
export function evidenceOf(visitor: Visitor, form: FormOrigin = {}): Evidence {
  return {
    ip: visitor.ip,
    ...(visitor.method === 'GET' || visitor.method === 'POST' ? { method: visitor.method } : {}),
    userAgent: headerOf(visitor, 'user-agent') || null,
    url: pageOf(form.url ?? undefined) ?? pageOf(headerOf(visitor, 'referer')) ?? null,
    // As our own forms write it; what others write there is no wording of ours.
    formVersion:
      form.form_version !== undefined && /^[a-z]{2}-[0-9a-f]{12}$/.test(form.form_version) ? form.form_version : null,
  };
}

/** Origin and path: what follows them may be about the person, or be a secret of theirs. */
function pageOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, origin, pathname } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? `${origin}${pathname}` : undefined;
}

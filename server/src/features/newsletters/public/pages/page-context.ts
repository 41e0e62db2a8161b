import { localeOf, type ReaderContext } from '#features/reader-pages';
import type { Settings } from '#platform/config/settings.ts';
import type { Embedding } from '#platform/pages/layout.ts';
import type { Newsletter } from '../../newsletter.ts';
import { type HumanProof, humanProofOf, type ProofSettings } from '../human-proof/proof-services.ts';
import { pageLinks } from './page-links.ts';

/** The fields of a newsletter that pages show. */
export type PageNewsletter = Pick<
  Newsletter,
  | 'name'
  | 'slug'
  | 'fromName'
  | 'description'
  | 'accentColor'
  | 'logoUrl'
  | 'doubleOptIn'
  | 'archiveEnabled'
  | 'archiveIndexable'
  | 'askName'
  | 'signupEnabled'
  | 'timezone'
  | 'postalAddress'
>;

/** The context of every page of a newsletter: the first argument of all of them. */
export interface PageContext extends ReaderContext<PageNewsletter> {
  newsletter: PageNewsletter;
  /** Path of the address that people reach us at, without a slash at its end: '' or '/mail'. */
  basePath: string;
  /** Scheme and host of it: a path of `pageLinks` behind it is a whole address. */
  origin: string;
  /** The service whose proof a sign-up needs; null: none. */
  proof: HumanProof | null;
}

/** The page context of a newsletter, in its language. */
export function pageContext(
  settings: Pick<Settings, 'dashboardUrl'> & ProofSettings,
  newsletter: PageNewsletter & Pick<Newsletter, 'language'>,
  { embedded = null }: { embedded?: Embedding | null } = {},
): PageContext {
  const { origin, pathname } = new URL(settings.dashboardUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const { subscribe, embed } = pageLinks({ newsletter, basePath });
  return {
    newsletter,
    brand: newsletter,
    locale: localeOf(newsletter.language),
    basePath,
    origin,
    proof: humanProofOf(settings),
    embedded,
    formAt: embedded === null ? subscribe : embed(embedded),
    subscribeAt: newsletter.signupEnabled ? subscribe : null,
  };
}

/** The name that issues are sent by, where it says more than the name of the newsletter does. */
export function authorOf({ name, fromName }: Pick<PageNewsletter, 'name' | 'fromName'>): string | null {
  const author = fromName?.trim() ?? '';
  return author === '' || author === name.trim() ? null : author;
}

import type { Settings } from '#platform/config/settings.ts';
import { type Locale, localeFor, localeOf } from '../../locales/messages.ts';
import type { Newsletter } from '../../newsletter.ts';

/** The fields of a newsletter that pages show. */
export type PageNewsletter = Pick<
  Newsletter,
  | 'name'
  | 'slug'
  | 'description'
  | 'accentColor'
  | 'logoUrl'
  | 'doubleOptIn'
  | 'archiveEnabled'
  | 'signupEnabled'
  | 'timezone'
  | 'postalAddress'
>;

/** The dependencies of every page: the first argument of all of them. */
export interface PageContext<Of extends PageNewsletter | null = PageNewsletter> {
  newsletter: Of;
  locale: Locale;
  /** Path of the address that people reach us at, without a slash at its end: '' or '/mail'. */
  basePath: string;
  /** Shown in a frame on somebody else's site: small, and whoever likes may frame it. */
  embedded: boolean;
}

/** A page that also has something to say when it is not known which newsletter it is about. */
export type AnyPageContext = PageContext<PageNewsletter | null>;

/** The page context of a newsletter, in its language. */
export const pageContext = (
  settings: Pick<Settings, 'dashboardUrl'>,
  newsletter: Newsletter,
  options: { embedded?: boolean } = {},
): PageContext => ({
  newsletter,
  locale: localeOf(newsletter.language),
  basePath: basePathOf(settings),
  embedded: options.embedded ?? false,
});

/** The same when nobody knows which newsletter: in the first language the browser asks for that we have. */
export const strangerContext = (
  settings: Pick<Settings, 'dashboardUrl'>,
  acceptLanguage: string | undefined,
  options: { embedded?: boolean } = {},
): PageContext<null> => ({
  newsletter: null,
  locale: localeFor(acceptLanguage),
  basePath: basePathOf(settings),
  embedded: options.embedded ?? false,
});

const basePathOf = (settings: Pick<Settings, 'dashboardUrl'>): string =>
  new URL(settings.dashboardUrl).pathname.replace(/\/+$/, '');

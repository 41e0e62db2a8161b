import type { Brand, Embedding } from '#platform/pages/layout.ts';
import { type Locale, localeFor } from './locales/messages.ts';

/** The context of every page: the first argument of all of them. */
export interface ReaderContext<Of extends Brand | null = Brand> {
  /** The list whose page it is; null when it is not known. */
  brand: Of;
  locale: Locale;
  /** Shown in a frame on somebody else's site: small, and any site may frame it. null: a page of its own. */
  embedded: Embedding | null;
  /** The address of the form that the reader comes from; null: there is none. */
  formAt: string | null;
  /** The address at which the reader can subscribe again; null: the list takes nobody. */
  subscribeAt: string | null;
}

export type AnyReaderContext = ReaderContext<Brand | null>;

/** A page of no known list, in the first language the browser asks for that there is. */
export const strangerContext = (
  acceptLanguage: string | undefined,
  options: { embedded?: Embedding | null } = {},
): ReaderContext<null> => ({
  brand: null,
  locale: localeFor(acceptLanguage),
  embedded: options.embedded ?? null,
  formAt: null,
  subscribeAt: null,
});

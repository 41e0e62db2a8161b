import { PREVIEW_TOKEN } from '#features/compositions';
import { previewPage, strangerContext } from '#features/reader-pages';

interface Called {
  query: { token: string };
  request: { headers: { 'accept-language'?: string | undefined } };
}

/** The page of a link in a preview or a test, whatever is posted to it; the work of every other link. */
export const unlessPreview = async <Page>({ query, request }: Called, work: () => Promise<Page>) =>
  query.token === PREVIEW_TOKEN ? previewPage(strangerContext(request.headers['accept-language'])) : work();

import { copyImage, listImages } from './generated/sdk.gen.ts';
import type { Image } from './generated/types.gen.ts';
import { uploadImage } from './upload-image.ts';
import { whenFree } from './when-free.ts';
import { errorSentence } from '../lib/api-error.ts';
import type { PictureStore, StoredPicture } from '../lib/files/picture-store.ts';

const PER_PAGE = '24';

const pictureOf = ({ url, filename, width, height }: Image): StoredPicture => ({
  src: url,
  name: filename ?? 'Without a name',
  width,
  height,
});

/** A failure in words for people. */
const inWords = (error: unknown): never => {
  throw new Error(errorSentence(error));
};

/** The pictures of the workspace, for editors and forms. */
export const pictureStore: PictureStore = {
  upload: async (file, more) => pictureOf(await uploadImage(file, more).catch(inWords)),
  async copy(url) {
    const { data } = await whenFree(() => copyImage({ body: { url }, throwOnError: true })).catch(inWords);
    return pictureOf(data);
  },
  async list(cursor) {
    const query = { limit: PER_PAGE, ...(cursor === null ? {} : { cursor }) };
    const { data } = await listImages({ query, throwOnError: true }).catch(inWords);
    return { pictures: data.data.map(pictureOf), next: data.next_cursor };
  },
};

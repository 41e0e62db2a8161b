import { integer } from './setting.ts';

/** The room for images of mail: a part of the table. */
export const IMAGE_SETTINGS = {
  imagesMax: integer({
    env: 'POSTHORN_IMAGES_MAX',
    fallback: 5_000,
    min: 0,
    max: 2_000_000_000,
    meaning: 'Images that a workspace may have; 0: unlimited.',
  }),
  imagesMb: integer({
    env: 'POSTHORN_IMAGES_MB',
    fallback: 1_024,
    min: 0,
    max: 1_048_576,
    meaning: 'MB of images that a workspace may have; 0: unlimited.',
  }),
};

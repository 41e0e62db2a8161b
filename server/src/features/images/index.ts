export { createImagesFeature, type ImagesFeature } from './feature.ts';
export { isImageAddress } from './image.ts';
export { queueImagePurge } from './purge-images.ts';

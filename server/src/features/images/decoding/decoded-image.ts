/** The result of a decoding: every file of it was made of pixels, and holds nothing else of what was uploaded. */
export interface DecodedImage {
  /** Of an animation; 1: it stands still. */
  frames: number;
  /** For mail: twice as wide as mail shows it at most. */
  mail: ImageFile;
  /** For pages; null: it is not larger than that of mail. */
  large: ImageFile | null;
}

export interface ImageFile {
  contentType: ImageType;
  width: number;
  height: number;
  bytes: Buffer;
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif';

/** The answer of the process that decodes: this as JSON behind its length, then the bytes of the files. */
export type DecodingAnswer =
  | { refused: string }
  | { frames: number; files: (Omit<ImageFile, 'bytes'> & { size: number })[] };

/** The process ends with this code when it would need more memory than it may have. */
export const OUT_OF_MEMORY_EXIT = 3;

/** A picture that the server keeps. */
export interface StoredPicture {
  /** An address that mail can load. */
  src: string;
  name: string;
  /** In its own pixels; null: not known. */
  width: number | null;
  height: number | null;
}

/** Rejects with an Error whose message is a sentence for people. `onProgress` takes 0 to 1. */
export type UploadPicture = (
  file: File,
  more: { onProgress(share: number): void; signal: AbortSignal },
) => Promise<StoredPicture>;

/** The functions of a page for the parts that take pictures. */
export interface PictureStore {
  upload: UploadPicture;
  /** Copies the picture of another server. Rejects like `upload`. */
  copy(src: string): Promise<StoredPicture>;
  /** Earlier pictures, newest first; `next` is null on the last page. Rejects like `upload`. */
  list(cursor: string | null): Promise<{ pictures: readonly StoredPicture[]; next: string | null }>;
}

export const PICTURE_TYPES = 'image/png,image/jpeg,image/gif,image/webp';

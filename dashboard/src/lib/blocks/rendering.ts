/** The common values of all parts of a document that is made into the html of mail. */
export interface Rendering {
  /** `#rrggbb`, in lower case. */
  brandColor: string;
  /** The room for these blocks in CSS pixels. */
  width: number;
}

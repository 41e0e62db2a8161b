import type { StoredDocument } from '../../lib/blocks/document.ts';
import type { PictureStore } from '../../lib/files/picture-store.ts';

/** The body of an issue: the html that is mailed, and the document it was made from, where there is one. */
export interface IssueBody {
  html: string;
  editor: StoredDocument | null;
}

/** A value of the reader's that a person may choose. */
export interface VariableChoice {
  /** `subscriber.name` */
  path: string;
  /** For people: “Name”. */
  label: string;
  /** The words for readers without a value that are proposed. */
  fallback?: string;
}

export interface Brand {
  /** `#rrggbb`: the ground of buttons. */
  color: string;
}

export interface EditorProps {
  /** Read once: give the editor another `key` to show another issue, or the same one as somebody else saved it. */
  value: IssueBody;
  onChange(body: IssueBody): void;
  pictures: PictureStore;
  variables: readonly VariableChoice[];
  brand: Brand;
  readOnly?: boolean;
  /** For screen readers. */
  label?: string;
}

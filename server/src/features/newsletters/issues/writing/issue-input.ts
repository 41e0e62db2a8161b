import { refuseBrokenLiquid } from '#features/compositions';
import { invalid } from '#platform/errors/app-error.ts';
import type { Issue } from '../issue.ts';

export const LIMITS = {
  subjectChars: 998,
  preheaderChars: 500,
  /** Of each body, in UTF-8. */
  bodyBytes: 2 * 1_048_576,
  /** The document of an editor, as JSON. */
  editorBytes: 1_048_576,
  /** Raw JSON: two bodies and a document, with room for their escapes. */
  requestBytes: 8 * 1_048_576,
} as const;

/** The words of an issue. */
export type IssueContent = Pick<Issue, 'subject' | 'preheader' | 'htmlBody' | 'textBody' | 'editor'>;

/** As it comes: the types have been checked. */
export interface ContentInput {
  subject?: string;
  html_body?: string;
  text_body?: string | null;
  preheader?: string | null;
  editor?: Issue['editor'];
}

export interface ChangeIssueInput extends ContentInput {
  scheduled_for?: string | null;
  timezone?: string | null;
}

// C0 (tab and line breaks too), DEL, C1, and the two Unicode line ends: none may stand in one line of a header.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Reads the fields that are given, and refuses Liquid that cannot be read. An empty text counts as none: clients that
 * fill in every field send one.
 */
export async function readContent(input: ContentInput): Promise<Partial<IssueContent>> {
  const { subject, html_body: htmlBody, text_body: textBody, preheader, editor } = input;
  if (subject !== undefined) readLine('subject', subject);
  if (subject?.trim() === '') throw invalid('subject', 'subject is required');
  if (typeof preheader === 'string') readLine('preheader', preheader);
  checkBytes('html_body', htmlBody);
  checkBytes('text_body', textBody);
  if (editor != null) checkEditor(editor);
  await refuseBrokenLiquid([
    { param: 'subject', source: subject ?? '', kind: 'subject' },
    { param: 'preheader', source: preheader ?? '', kind: 'subject' },
    { param: 'html_body', source: htmlBody ?? '', kind: 'html' },
    { param: 'text_body', source: textBody ?? '', kind: 'text' },
  ]);
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(htmlBody === undefined ? {} : { htmlBody }),
    ...(textBody === undefined ? {} : { textBody: textBody === '' ? null : textBody }),
    ...(preheader === undefined ? {} : { preheader: preheader === '' ? null : preheader }),
    ...(editor === undefined ? {} : { editor }),
  };
}

function readLine(param: string, text: string): void {
  if (CONTROL.test(text)) throw invalid(param, `${param} must not have control characters or line breaks`);
}

/** Its depth is bounded with that of every body; a document that is deeper is none of an editor. */
function checkEditor(editor: NonNullable<Issue['editor']>): void {
  if (Buffer.byteLength(JSON.stringify(editor), 'utf8') > LIMITS.editorBytes) {
    throw invalid('editor', 'editor must be at most 1 MB of JSON');
  }
}

function checkBytes(param: string, text: string | null | undefined): void {
  if (typeof text === 'string' && Buffer.byteLength(text, 'utf8') > LIMITS.bodyBytes) {
    throw invalid(param, `${param} must be at most 2 MB`);
  }
}

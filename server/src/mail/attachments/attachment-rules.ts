/** The rules for attachments of a send, and the attachments as they will be sent. Limits are those of the API. */
import { attachmentName } from './attachment-name.ts';
import { attachmentType } from './attachment-type.ts';

export interface AttachmentInput {
  filename: string;
  /** base64, standard alphabet, padded, without line breaks. */
  content: string;
  contentType?: string | null;
  contentId?: string | null;
  disposition?: string | null;
}

export interface Attachment {
  filename: string;
  contentType: string;
  /** Without angle brackets: what `cid:` in the html refers to. */
  contentId: string | null;
  disposition: 'attachment' | 'inline';
  body: Buffer;
}

export interface AttachmentProblem {
  /** Place in the list; null when the problem is the list as a whole. */
  index: number | null;
  field: keyof AttachmentInput | null;
  problem: string;
  /** True when it cannot be read at all, false when it is well-formed but not acceptable. */
  malformed: boolean;
}

const attachmentsMax = 20;
/** Decoded, all attachments of a send together; as base64 that is 36 MB, below the 40 MB a provider takes. */
export const attachmentBytesMax = 25 * 1024 * 1024;

/** Reads and decodes the attachments of a send; `attachments` can be sent only when `problems` is empty. */
export function readAttachments(inputs: readonly AttachmentInput[]): {
  attachments: Attachment[];
  problems: AttachmentProblem[];
} {
  if (inputs.length > attachmentsMax) return refusedList(`There are more than ${attachmentsMax} attachments.`);
  // From the length of the text, so that too much is refused before any of it is decoded.
  const bytes = inputs.reduce((sum, { content }) => sum + decodedBytes(content), 0);
  if (bytes > attachmentBytesMax) return refusedList('The attachments are larger than 25 MB together.');

  const attachments: Attachment[] = [];
  const problems: AttachmentProblem[] = [];
  const ids = new Set<string>();
  for (const [index, input] of inputs.entries()) {
    const report = (field: keyof AttachmentInput, problem: string, malformed: boolean) =>
      problems.push({ index, field, problem, malformed });
    const attachment = readAttachment(input, report);
    if (attachment === undefined) continue;
    if (attachment.contentId !== null && ids.has(attachment.contentId)) {
      report('contentId', 'Two attachments have the same content id.', false);
    } else if (attachment.contentId !== null) {
      ids.add(attachment.contentId);
    }
    attachments.push(attachment);
  }
  return { attachments, problems };
}

/** The bytes of a strict base64 text, or undefined: no white space, no other alphabet, no missing or stray bits. */
export function decodeAttachment(content: string): Buffer | undefined {
  const body = Buffer.from(content, 'base64');
  // Node decodes nearly anything; only the canonical text comes back unchanged.
  return body.toString('base64') === content ? body : undefined;
}

function readAttachment(
  input: AttachmentInput,
  report: (field: keyof AttachmentInput, problem: string, malformed: boolean) => void,
): Attachment | undefined {
  const name = attachmentName(input.filename);
  if ('problem' in name) report('filename', name.problem, name.malformed);
  const filename = 'filename' in name ? name.filename : '';
  const contentType = attachmentType(input.contentType, filename);
  if (contentType === undefined) report('contentType', 'The content type is not of the form type/subtype.', false);
  const contentId = input.contentId ?? null;
  if (contentId !== null && !/^[A-Za-z0-9._@+-]{1,200}$/.test(contentId)) {
    report('contentId', 'A content id has only letters, digits and . _ @ + -, without angle brackets.', false);
  }
  const disposition = input.disposition ?? 'attachment';
  if (disposition !== 'attachment' && disposition !== 'inline') {
    report('disposition', 'The disposition is either attachment or inline.', true);
    return undefined;
  }
  const body = decodeAttachment(input.content);
  if (body === undefined) report('content', 'The content is not padded standard base64 without white space.', true);
  else if (body.length === 0) report('content', 'The attachment is empty.', false);
  if (filename === '' || contentType === undefined || body === undefined) return undefined;
  return { filename, contentType, contentId, disposition, body };
}

function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

function refusedList(problem: string): { attachments: Attachment[]; problems: AttachmentProblem[] } {
  return { attachments: [], problems: [{ index: null, field: null, problem, malformed: false }] };
}

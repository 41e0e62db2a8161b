import { useState } from 'react';
import { formatBytes } from '../../lib/number.ts';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import { columnsOf, type FileColumn, fieldsOfJson } from './import-plan.ts';

export interface ChosenFile {
  file: File;
  isJson: boolean;
  columns: FileColumn[];
}

/** As much as the preview of the columns needs; the file itself is not read here. */
const HEAD_BYTES = 64_000;
/** The limit of the server. */
const BYTES_MAX = 512 * 1024 * 1024;

interface Props {
  file: ChosenFile | undefined;
  onChange: (file: ChosenFile | undefined) => void;
}

export function FileStep({ file, onChange }: Props) {
  const [problem, setProblem] = useState<string>();
  const take = async (next: File) => {
    const { chosen, refused } = await look(next);
    setProblem(refused);
    onChange(chosen);
  };
  return (
    <FileDrop
      file={file?.file}
      accept=".csv,.tsv,.txt,.jsonl,.ndjson,.gz,text/csv,application/jsonl,application/gzip"
      problem={problem}
      words="CSV or JSON Lines, plain or gzip, up to 512 MB. Drop it here, or"
      more="Files from Mailchimp, Substack, Ghost, listmonk, Buttondown, Resend and another Posthorn work as they are."
      onTake={(next) => void take(next)}
    />
  );
}

async function look(file: File): Promise<{ chosen: ChosenFile | undefined; refused: string | undefined }> {
  if (file.size === 0) return { chosen: undefined, refused: `${file.name} is empty.` };
  if (file.size > BYTES_MAX) {
    return { chosen: undefined, refused: `${file.name} has ${formatBytes(file.size)}; a file has 512 MB at most.` };
  }
  const packed = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = packed[0] === 0x1f && packed[1] === 0x8b;
  const head = isPacked ? await unpackedHead(file) : await file.slice(0, HEAD_BYTES).text();
  if (head === undefined) return { chosen: undefined, refused: `${file.name} is packed, and damaged.` };
  if (head.startsWith('PK')) {
    return { chosen: undefined, refused: 'This is a spreadsheet or an archive. Save it as CSV, or unpack it, first.' };
  }
  const isJson = /\.(jsonl|ndjson)(\.gz)?$/i.test(file.name) || head.trimStart().startsWith('{');
  return { chosen: { file, isJson, columns: isJson ? fieldsOfJson(head) : columnsOf(head) }, refused: undefined };
}

/** The beginning of a packed file, without unpacking the rest; undefined when it cannot be unpacked. */
async function unpackedHead(file: File): Promise<string | undefined> {
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < HEAD_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
    return text;
  } catch {
    return undefined;
  }
}

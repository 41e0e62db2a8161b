import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface DocumentedMistake {
  what: string;
  request: { method?: string; url: string; body?: unknown; headers?: Record<string, string> };
  answer: {
    status: number;
    message?: string;
    param?: string;
    details?: readonly string[];
    warnings?: readonly string[];
    unknown?: string;
  };
}

/** docs/typical-mistakes.md, made of the table that a test sends to the server, row by row. */
export async function mistakesManual(server: string): Promise<string> {
  const table = pathToFileURL(join(server, 'test/e2e/mistakes/mistakes.ts'));
  const { MISTAKES }: { MISTAKES: Record<string, DocumentedMistake[]> } = await import(table.href);
  const count = Object.values(MISTAKES).flat().length;
  const chapters = Object.entries(MISTAKES).map(
    ([title, rows]) => `## ${title}\n\n| mistake | request | answer |\n|---|---|---|\n${rows.map(rowOf).join('')}`,
  );
  return `# Typical mistakes

Made by \`npm run gen\` from the table of a test that sends each of these ${count} requests and compares the whole answer.

The answer column shows the status, \`param\` and \`message\`. Several faults are listed as \`details\`. A refused request stores and sends nothing. [API design](api-design.md#field-names) has the rules, [errors](errors.md) the names.

${chapters.join('\n')}`;
}

const rowOf = ({ what, request, answer }: DocumentedMistake): string =>
  `| ${inCell(what)} | ${requestOf(request)} | ${answerOf(answer)} |\n`;

function requestOf({ method, url, body, headers = {} }: DocumentedMistake['request']): string {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const lines = Object.entries(headers).map(([name, value]) =>
    value === '' ? `without \`${name}\`` : code(`${name}: ${value}`),
  );
  return [
    code(`${method ?? (body === undefined ? 'GET' : 'POST')} ${url}`),
    ...lines,
    ...(text === undefined ? [] : [code(text.replaceAll('\n', '\\n'))]),
  ].join('<br>');
}

function answerOf({ status, message, param, details, warnings, unknown }: DocumentedMistake['answer']): string {
  const sentences = details ?? (message === undefined ? [] : [message]);
  return [
    [`**${status}**`, ...(param === undefined ? [] : [code(param)])].join(' '),
    ...sentences.map(inCell),
    ...(warnings ?? []).map((warning) => `Warning: ${inCell(warning)}`),
    ...(unknown === undefined ? [] : [`${code(`X-Unknown-Fields: ${unknown}`)}`]),
  ].join('<br>');
}

const code = (text: string): string => `\`\` ${text.replaceAll('|', '\\|')} \`\``;

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');

import { ApiError, readFailure } from '../lib/api-error.ts';
import { activeWorkspaceId } from './active-workspace.ts';
import type { Image } from './generated/types.gen.ts';
import { whenFree } from './when-free.ts';

const MB_MAX = 10;
/** As many as the server decodes at once. */
const AT_ONCE = 2;
const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

interface More {
  /** 0 to 1. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Uploads an image, with its progress, which `fetch` does not tell. Two at a time; when the server is busy it is sent
 * again after the time that the server names. Rejects with an `ApiError`.
 */
export async function uploadImage(file: File, more: More): Promise<Image> {
  if (file.size > MB_MAX * 1_048_576) {
    throw new ApiError('answer', 413, `The picture is larger than ${MB_MAX} MB. Make it smaller.`);
  }
  if (running >= AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  else running += 1;
  try {
    return await whenFree(() => send(file, more), more.signal);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

const nameOf = (file: File): string =>
  file.name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();

function send(file: File, { onProgress, signal }: More): Promise<Image> {
  const name = nameOf(file);
  const request = new XMLHttpRequest();
  request.open('POST', `/v1/images${name === '' ? '' : `?${new URLSearchParams({ filename: name })}`}`);
  request.setRequestHeader('X-Posthorn-Csrf', '1');
  const workspace = activeWorkspaceId();
  if (workspace !== undefined) request.setRequestHeader('X-Workspace-ID', workspace);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  return new Promise((resolve, reject) => {
    const stop = () => request.abort();
    signal.addEventListener('abort', stop, { once: true });
    request.onloadend = () => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) return reject(new DOMException('The upload was stopped.', 'AbortError'));
      if (request.status === 200 || request.status === 201) return resolve(JSON.parse(request.responseText) as Image); // an answer of our own API
      return reject(failureOf(request));
    };
    // Without a type the server judges the bytes, and says what to do with them.
    request.send(TYPES.has(file.type) ? file : file.slice(0, file.size, ''));
  });
}

function failureOf(request: XMLHttpRequest): ApiError {
  if (request.status === 0) return readFailure(undefined, undefined);
  const header = (name: string) => request.getResponseHeader(name) ?? undefined;
  const received = { status: request.status, requestId: header('x-request-id'), retryAfter: header('retry-after') };
  try {
    return readFailure(JSON.parse(request.responseText), received);
  } catch {
    return readFailure(request.responseText, received);
  }
}

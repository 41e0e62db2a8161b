import { unacceptable } from '#platform/errors/app-error.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { NewMark } from './queries.ts';

export interface MarkInput {
  svgPath: string;
  svgUrl: string;
  vmcCertUrl: string;
}

/** Judges what names a logo before anything is stored: 422 for a path that leads elsewhere and for bad addresses. */
export async function readMark(safeFetch: SafeFetch, { svgPath, svgUrl, vmcCertUrl }: MarkInput): Promise<NewMark> {
  return {
    svgPath: readPath(svgPath),
    svgUrl: await readAddress(safeFetch, svgUrl, 'svgUrl'),
    certificateUrl: await readAddress(safeFetch, vmcCertUrl, 'vmcCertUrl'),
  };
}

/** A path below the public folder of a storage, such as `logos/acme.svg`. */
function readPath(path: string): string {
  const parts = path.split('/');
  const isBelow = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isBelow || !/^[\w./ -]+\.svg$/i.test(path)) {
    throw unacceptable(
      'svgPath',
      'svgPath must be a path to an SVG file below the public folder, such as "logos/acme.svg"',
    );
  }
  return path;
}

/** The record holds the addresses between semicolons, and mailboxes fetch over https only. */
async function readAddress(safeFetch: SafeFetch, url: string, param: string): Promise<string> {
  if (!/^https:\/\//i.test(url)) throw unacceptable(param, `${param} must begin with https://`);
  if (/[;\s"\\]/.test(url)) throw unacceptable(param, `${param} must not contain semicolons, quotes or white space`);
  return safeFetch.checkUrl(url, param);
}

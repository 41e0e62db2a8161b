import { unacceptable } from '#platform/errors/app-error.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { NewMark } from './queries.ts';
import type { BimiBody } from './schemas.ts';

export interface MarkInput {
  svgPath: string;
  svgUrl: string;
  vmcCertUrl: string;
}

/** Judges the fields that name a logo as far as they show it themselves: 422 for a path that leads elsewhere. */
export const readMarkFields = readEach<typeof BimiBody>({
  svgPath: readPath,
  svgUrl: (url) => requireFetchable(url, 'svgUrl'),
  vmcCertUrl: (url) => requireFetchable(url, 'vmcCertUrl'),
});

/** The logo as it is stored. Looks the names of the two servers up: 422 for one that may not be called. */
export async function readMark(safeFetch: SafeFetch, { svgPath, svgUrl, vmcCertUrl }: MarkInput): Promise<NewMark> {
  return {
    svgPath,
    svgUrl: await safeFetch.checkUrl(svgUrl, 'svgUrl'),
    certificateUrl: await safeFetch.checkUrl(vmcCertUrl, 'vmcCertUrl'),
  };
}

/** A path below the public folder of a storage, such as `logos/acme.svg`. */
function readPath(path: string): void {
  const parts = path.split('/');
  const isBelow = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isBelow || !/^[\w./ -]+\.svg$/i.test(path)) {
    throw unacceptable(
      'svgPath',
      'svgPath must be a path to an SVG file below the public folder, such as "logos/acme.svg"',
    );
  }
}

/** The record holds the addresses between semicolons, and mailboxes fetch over https only. */
function requireFetchable(url: string, param: string): void {
  if (!/^https:\/\//i.test(url)) throw unacceptable(param, `${param} must begin with https://`);
  if (/[;\s"\\]/.test(url)) throw unacceptable(param, `${param} must not contain semicolons, quotes or white space`);
}

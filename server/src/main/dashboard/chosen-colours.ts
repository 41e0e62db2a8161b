import type { FastifyRequest } from 'fastify';

/** The dashboard sets it where a person chose colours other than those of the system. It holds nothing else. */
const COOKIE = /(?:^|;)\s*posthorn_colours=(dark|light)\s*(?:;|$)/;

/** The page in the colours that the person chose in this browser, before a script runs. */
export function inChosenColours(page: string, { headers }: FastifyRequest): string {
  const chosen = COOKIE.exec(headers.cookie ?? '')?.[1];
  if (chosen === undefined) return page;
  return page.replace('<html lang="en">', `<html lang="en" data-mantine-color-scheme="${chosen}">`);
}

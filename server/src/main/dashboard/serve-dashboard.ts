import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#platform/errors/app-error.ts';
import type { Settings } from '#platform/config/settings.ts';
import { inChosenColours } from './chosen-colours.ts';
import type { Dashboard } from './dashboard-files.ts';
import { sendMailFrame } from './mail-frame.ts';
import { isForDashboard } from './navigation.ts';
import { sendFile } from './send-file.ts';

const NONCE_BYTES = 16;

/** The answer to a browser that opens a page of the dashboard; undefined when the request is for somebody else. */
export const dashboardPages =
  ({ pageAt }: Dashboard) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    if (!isForDashboard(request)) return undefined;
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const page = pageAt(pathOf(request), tabOf(request)).join(nonce);
    return reply.headers(pageHeaders(nonce)).send(inChosenColours(page, request));
  };

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';
const tabOf = ({ url }: FastifyRequest): string | undefined => /[?&]tab=([\w-]+)(&|$)/.exec(url)?.[1];

/** The files of the build, and the frame of mails. */
export function installDashboardFiles(
  app: FastifyInstance,
  { files }: Dashboard,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): void {
  for (const [url, file] of files) {
    if (!file.isImmutable) app.get(url, async (request, reply) => sendFile(file, request, reply));
  }
  app.get('/assets/*', async (request, reply) => {
    const url = pathOf(request);
    const file = files.get(url);
    if (file === undefined) throw notFound('file', url);
    return sendFile(file, request, reply);
  });
  const frames = {
    // Nothing else of this server: its tracking pixels would count a look as an open.
    '/frames/mail': `data: ${publicUrl}/images/`,
    // The servers of these pictures learn that the mail is being read.
    '/frames/mail-with-pictures': 'data: http: https:',
    '/frames/mail-without-pictures': "'none'",
  };
  for (const [url, pictures] of Object.entries(frames))
    app.get(url, async (_request, reply) => sendMailFrame(reply, { pictures }));
}

/**
 * The page may run our own script files, ask this server, and show what it has made itself. It has no inline script.
 * The nonce is for the styles that the components write while they run.
 */
const pageHeaders = (nonce: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  vary: 'Accept, Sec-Fetch-Mode',
  // Not "no-referrer": some browsers then send "Origin: null" with a change, which counts as another site's.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex',
});

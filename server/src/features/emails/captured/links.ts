import { findPlaces } from '#mail/tracking/find-places.ts';
import { readClickToken } from '#mail/tracking/token.ts';
import type { Ctx } from '#platform/http/context.ts';

const LINKS_MAX = 500;

export interface CapturedLink {
  url: string;
  tracked: boolean;
}

/** The links of a html in order, those that were left untracked too. A tracked one is shown by its target. */
export function linksOf({ settings, secrets }: Pick<Ctx, 'settings' | 'secrets'>, html: string): CapturedLink[] {
  const start = `${settings.publicUrl}/t/c/`;
  const { links } = findPlaces(html.replaceAll('data-posthorn-no-track', 'data-untracked'));
  return links.slice(0, LINKS_MAX).map(({ href }) => {
    const click = href.startsWith(start)
      ? readClickToken(href.slice(start.length), secrets.key('tracking'))
      : undefined;
    return click === undefined ? { url: href, tracked: false } : { url: click.target, tracked: true };
  });
}

/** Whether the html has the pixel that sees opens. */
export const seesOpens = ({ settings }: Pick<Ctx, 'settings'>, html: string): boolean =>
  html.includes(`${settings.publicUrl}/t/o/`);

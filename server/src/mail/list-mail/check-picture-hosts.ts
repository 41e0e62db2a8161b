import { type Finding, fine, warning } from './finding.ts';

const HOSTS_NAMED = 5;

/**
 * Programs in which people write and talk. A picture that is copied from them is shown to their own users, or for some
 * hours.
 */
const PRIVATE_HOST =
  /(?:^|\.)(?:googleusercontent\.com|(?:docs|mail|drive)\.google\.com|attachments\.office\.net|outlook\.(?:live|office|office365)\.com|onedrive\.live\.com|sharepoint\.com|notion\.so|notion-static\.com|dropbox(?:usercontent)?\.com|fbcdn\.net|cdninstagram\.com|licdn\.com|slack(?:-edge)?\.com|discordapp\.(?:com|net)|icloud\.com)$/;
/** Signed addresses of stores: Amazon S3, Google Cloud Storage, Azure. */
const ENDS_BY_ITSELF = /[?&](?:amp;)?(?:X-Amz-Expires|X-Goog-Expires|Expires|sig)=/i;

/**
 * Names the other servers that pictures come from: they see who reads the mail, and can change or remove the pictures.
 * A warning where readers will not see them. `ownUrl`: pictures of this server begin with it.
 */
export function checkPictureHosts(sources: readonly string[], ownUrl: string): Finding[] {
  const foreign = sources.flatMap((source) => {
    const src = source.trim();
    if (src.startsWith(`${ownUrl}/`) || !/^https?:/i.test(src) || !URL.canParse(src)) return [];
    return [{ src, host: new URL(src).hostname }];
  });
  if (foreign.length === 0) return [];
  const unseen = foreign.filter(({ src, host }) => PRIVATE_HOST.test(host) || ENDS_BY_ITSELF.test(src));
  if (unseen.length === 0) {
    return [fine('picture_hosts', `${pictures(foreign.length)} from ${hostsOf(foreign)}, and not from this server.`)];
  }
  return [
    warning(
      'picture_hosts',
      `${pictures(unseen.length)} from ${hostsOf(unseen)}, where readers may not see ${unseen.length === 1 ? 'it' : 'them'}. Upload ${unseen.length === 1 ? 'it' : 'them'} in place of the copied ${unseen.length === 1 ? 'address' : 'addresses'}.`,
    ),
  ];
}

const pictures = (count: number): string => (count === 1 ? '1 picture is loaded' : `${count} pictures are loaded`);

function hostsOf(found: readonly { host: string }[]): string {
  const hosts = [...new Set(found.map(({ host }) => host))];
  const more = hosts.length - HOSTS_NAMED;
  return `${hosts.slice(0, HOSTS_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

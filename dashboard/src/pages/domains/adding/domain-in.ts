/** The domain in what somebody has pasted: an address of the web, an address of mail, or the name itself. */
export function domainIn(text: string): string {
  const name = text.trim().replace(/^https?:\/\//i, '');
  const host = name.replace(/[/?#].*$/, '').replace(/:\d+$/, '');
  return host.slice(host.lastIndexOf('@') + 1);
}

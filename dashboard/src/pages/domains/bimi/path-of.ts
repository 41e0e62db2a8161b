/** The path in the address of a logo: `https://example.com/logos/acme.svg` gives `logos/acme.svg`. */
export function pathOf(svgUrl: string): string {
  const { pathname = '' } = URL.parse(svgUrl.trim()) ?? {};
  return pathname.replace(/^\/+/, '');
}

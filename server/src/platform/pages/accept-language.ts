/**
 * The languages that a browser asks for, best first, lower case and without regions (RFC 9110, 12.5.4). At most 20 are
 * looked at; what is no language tag is left out.
 */
export function languagesAskedFor(header: string | undefined): string[] {
  const asked = (header ?? '')
    .slice(0, 500)
    .split(',', 20)
    .flatMap((part, index) => {
      const [, tag, quality = '1'] =
        /^\s*([a-z]{1,8})(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(part) ?? [];
      return tag === undefined || Number(quality) === 0
        ? []
        : [{ language: tag.toLowerCase(), quality: Number(quality), index }];
    });
  return asked.sort((a, b) => b.quality - a.quality || a.index - b.index).map((one) => one.language);
}

import type { DnsRecord } from '../../../api/generated/types.gen.ts';

export interface PublishedMark {
  svgUrl: string;
  certificateUrl: string;
}

/** The addresses that the BIMI record of a domain names: the only place where the API tells them. */
export function markOfRecord({ value }: Pick<DnsRecord, 'value'>): PublishedMark {
  const tags = new Map(
    value.split(';').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
  return { svgUrl: tags.get('l') ?? '', certificateUrl: tags.get('a') ?? '' };
}

import type { Settings } from './settings.ts';

/** The name of the server that receives mail: the MX of receiving domains, and the name in its greeting. */
export const mailHostOf = ({
  inboundHost,
  bounceDomain,
  publicUrl,
}: Pick<Settings, 'inboundHost' | 'bounceDomain' | 'publicUrl'>): string =>
  (inboundHost ?? bounceDomain ?? new URL(publicUrl).hostname).toLowerCase();

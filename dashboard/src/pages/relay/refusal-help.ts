import type { RelayRefusal } from '../../api/generated/types.gen.ts';

/** The domain of the sender may not be sent from: the page of the domains helps. */
export const isAboutDomain = ({ code, status, text }: RelayRefusal): boolean =>
  code === 550 && status === '5.7.1' && /\bdomain\b/i.test(text);

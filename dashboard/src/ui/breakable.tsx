import type { ReactNode } from 'react';

/** A long text that breaks at these places, and only then within a word. */
export const breakable = (text: string, places: RegExp): ReactNode[] =>
  text.split(places).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]));

export const breakableAddress = (address: string): ReactNode => breakable(address, /(?=@)/);

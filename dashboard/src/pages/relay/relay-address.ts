import type { RelayAddress as Told } from '../../api/generated/types.gen.ts';

export interface RelayAddress {
  host: string;
  /** STARTTLS; 0: off. */
  port: number;
  /** TLS from the first byte; 0: off. */
  tlsPort: number;
}

const USUAL = { port: 2587, tlsPort: 2465 } as const;

/** Where programs hand in mail; until that is known, the host of this page and the usual ports. */
export const relayAddress = (host: string, told: Told | undefined): RelayAddress =>
  told === undefined
    ? { host: host.replace(/^\[|\]$/g, ''), ...USUAL }
    : { host: told.host, port: told.ports.starttls ?? 0, tlsPort: told.ports.tls ?? 0 };

/** The port to write into the settings of a program: STARTTLS where it is on. */
export const bestPort = ({ port, tlsPort }: RelayAddress): { port: number; isImplicit: boolean } =>
  port === 0 && tlsPort !== 0 ? { port: tlsPort, isImplicit: true } : { port: port || USUAL.port, isImplicit: false };

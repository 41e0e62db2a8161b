import type { SettingInForce } from '../../api/generated/types.gen.ts';

export interface RelayAddress {
  host: string;
  /** STARTTLS; 0: off. */
  port: number;
  /** TLS from the first byte; 0: off. */
  tlsPort: number;
  /** Only the operator may read the settings; to everybody else these are the usual ports. */
  isKnown: boolean;
}

const USUAL = { port: 2587, tlsPort: 2465 } as const;

/** Where programs hand in mail: the host of this page, and the ports of the settings in force. */
export function relayAddress(host: string, settings: readonly SettingInForce[] | undefined): RelayAddress {
  const valueOf = (name: string): string | null | undefined =>
    settings?.find((setting) => setting.name === name && setting.source !== 'default')?.value;
  const portOf = (name: string, usual: number): number => Number(valueOf(name) ?? usual);
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: portOf('POSTHORN_SMTP_RELAY_PORT', USUAL.port),
    tlsPort: portOf('POSTHORN_SMTP_RELAYS_PORT', USUAL.tlsPort),
    isKnown: settings !== undefined,
  };
}

/** The port to write into the settings of a program: STARTTLS where it is on. */
export const bestPort = ({ port, tlsPort }: RelayAddress): { port: number; isImplicit: boolean } =>
  port === 0 && tlsPort !== 0 ? { port: tlsPort, isImplicit: true } : { port: port || USUAL.port, isImplicit: false };

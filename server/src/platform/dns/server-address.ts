import { isIP } from 'node:net';

export interface ServerAddress {
  address: string;
  port: number;
}

const DNS_PORT = 53;
const WITH_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[^:]+)):(?<port>\d{1,5})$/;

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; undefined: it is none of them. */
export function readServerAddress(text: string): ServerAddress | undefined {
  if (isIP(text) !== 0) return { address: text, port: DNS_PORT };
  const { six, four, port } = WITH_PORT.exec(text)?.groups ?? {};
  const isAddress = six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6;
  const number = Number(port);
  return isAddress && number >= 1 && number <= 65_535 ? { address: six ?? four ?? '', port: number } : undefined;
}

export const serverName = ({ address, port }: ServerAddress): string => {
  if (port === DNS_PORT) return address;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
};

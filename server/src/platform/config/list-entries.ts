/** How the entries of lists among the settings are read. Each throws an Error whose message completes "NAME …". */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { readServerAddress } from '../dns/server-address.ts';

export const cidr = (entry: string): string => {
  const [address = '', bits] = entry.split('/', 2);
  // isIP and not the library's own check, which takes `10` for 0.0.0.10.
  if (isIP(address) === 0 || (bits !== undefined && !ipaddr.isValidCIDR(entry)))
    throw new Error(`has an entry that is no address or CIDR: ${entry}`);
  return bits === undefined ? `${entry}/${isIP(address) === 4 ? 32 : 128}` : entry;
};

export const domain = (entry: string): string => {
  const ascii = domainToASCII(entry.toLowerCase());
  if (!/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(ascii)) {
    throw new Error(`has an entry that is no domain: ${entry}`);
  }
  return ascii;
};

export const dnsServer = (entry: string): string => {
  if (readServerAddress(entry) === undefined) {
    throw new Error(`has an entry that is no address of a DNS server: ${entry}`);
  }
  return entry;
};

export const topicArn = (entry: string): string => {
  if (!/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}(\.fifo)?$/.test(entry)) {
    throw new Error(`has an entry that is no ARN of an SNS topic: ${entry}`);
  }
  return entry;
};

export const bucketName = (entry: string): string => {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(entry)) {
    throw new Error(`has an entry that is no name of an S3 bucket: ${entry}`);
  }
  return entry;
};

export const previousSecret = (entry: string): string => {
  // The entry is not told: it may be a secret that lost a character.
  if (entry.length < 32) throw new Error('has an entry of fewer than 32 characters');
  return entry;
};

export const seconds = (entry: string): string => {
  if (!/^\d{1,7}$/.test(entry)) throw new Error(`has an entry that is no number of seconds: ${entry}`);
  return entry;
};

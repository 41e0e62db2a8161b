import { once } from './once.ts';

const whole = once(() => new Intl.NumberFormat('en'));
const short = once(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));

export const formatCount = (count: number): string => whole().format(count);

/** "1.2M": where the exact number stands beside it or on hover. */
export const formatShort = (count: number): string => short().format(count);

/** "1 email", "2 emails". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** A share of 0..1. Small shares keep two digits, because thresholds of complaints are 0.1 %. */
export const formatPercent = (share: number): string =>
  `${(share * 100).toFixed(share > 0 && share < 0.1 ? 2 : 1).replace(/\.0+$/, '')}%`;

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const step = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  const size = bytes / 1000 ** step;
  return `${size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[step - 1]}`;
}

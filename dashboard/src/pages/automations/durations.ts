export const UNITS = ['second', 'minute', 'hour', 'day', 'week'] as const;
export type Unit = (typeof UNITS)[number];

const DURATION = /^(\d*) (second|minute|hour|day|week)s?$/;

/** The two fields of `3 days`; an empty number for what cannot be read. */
export function readDuration(text: string | undefined): { count: string; unit: Unit } {
  const [, count = '', unit = 'day'] = DURATION.exec(text ?? '') ?? [];
  return { count, unit: unit as Unit }; // one of UNITS, by the pattern
}

/** As the API takes it: `3 days`, `1 day`. */
export const durationText = (count: string, unit: Unit): string => `${count} ${unit}${count === '1' ? '' : 's'}`;

import type { Liquid } from 'liquidjs';
import { textOf } from '../template-data.ts';
import { strftime } from './strftime.ts';
import { readDate } from './template-date.ts';

const FORMAT = '%A, %B %-e, %Y at %-l:%M %P %z';

/**
 * `date`. A value that is no date stays as it is, a record and a list are nothing. `now` and `today` are the time by
 * the library, which alone reads it here.
 */
export function registerDateFilter(liquid: Liquid): void {
  const { date: library } = liquid.filters;
  if (typeof library !== 'function') return;
  liquid.registerFilter('date', function (value: unknown, format?: unknown, zone?: unknown) {
    if (typeof value !== 'string' && typeof value !== 'number') return typeof value === 'boolean' ? value : '';
    const wanted = format === undefined && this.token.args.length === 0 ? FORMAT : textOf(format);
    if (wanted === '') return value;
    const { memoryLimit } = this.context;
    memoryLimit.use(wanted.length);
    const read = value === 'now' || value === 'today' ? Number(library.call(this, value, '%s')) : value;
    try {
      const date = readDate(read, zone);
      return date === undefined ? value : strftime(date, wanted, (chars) => memoryLimit.use(chars));
    } catch (error) {
      // A time zone that does not exist; a RangeError would read as a template that is nested too deeply.
      throw error instanceof RangeError ? new Error('the filter "date" does not know this time zone') : error;
    }
  });
}

import type { Liquid } from 'liquidjs';
import { textOf } from '../template-data.ts';
import { strftime } from './strftime.ts';
import { readDate } from './template-date.ts';

const FORMAT = '%A, %B %-e, %Y at %-l:%M %P %z';
/** The longest formats that anybody writes have a tenth of it. */
const FORMAT_CHARS_MAX = 1_000;

/**
 * `date`. A value that is no date stays as it is, and so does one whose format is too long; a record and a list are
 * nothing. `now` and `today` are the time by the library, which alone reads it here.
 */
export function registerDateFilter(liquid: Liquid): void {
  const { date: library } = liquid.filters;
  if (typeof library !== 'function') return;
  liquid.registerFilter('date', function (value: unknown, format?: unknown, zone?: unknown) {
    if (typeof value !== 'string' && typeof value !== 'number') return typeof value === 'boolean' ? value : '';
    const wanted = format === undefined && this.token.args.length === 0 ? FORMAT : textOf(format);
    if (wanted === '' || wanted.length > FORMAT_CHARS_MAX) return value;
    const read = value === 'now' || value === 'today' ? Number(library.call(this, value, '%s')) : value;
    try {
      const date = readDate(read, zone);
      if (date === undefined) return value;
      const made = strftime(date, wanted);
      this.context.memoryLimit.use(wanted.length + made.length);
      return made;
    } catch (error) {
      // A time zone that does not exist; a RangeError would read as a template that is nested too deeply.
      throw error instanceof RangeError ? new Error('the filter "date" does not know this time zone') : error;
    }
  });
}

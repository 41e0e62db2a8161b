/** Filters of lists and records, and `default`, as the reference implementation has them. */
import type { Liquid } from 'liquidjs';
import { isPlain, textOf } from '../template-data.ts';

export function registerListFilters(liquid: Liquid): void {
  const { compact, default: otherwise } = liquid.filters;
  if (typeof compact !== 'function' || typeof otherwise !== 'function') return;
  liquid.registerFilter('compact', function (value: unknown, property?: unknown) {
    if (property === undefined || !Array.isArray(value)) return compact.call(this, value);
    this.context.memoryLimit.use(value.length);
    const key = textOf(property);
    return value.filter((one) => !isPlain(one) && (one[key] ?? null) !== null);
  });
  liquid.registerFilter('default', function (value: unknown, ...args: unknown[]) {
    return otherwise.call(this, isEmptyRecord(value) ? null : value, ...args);
  });
}

/** Records have no prototype; an object of the library has one. */
const isEmptyRecord = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === null &&
  Object.keys(value).length === 0;

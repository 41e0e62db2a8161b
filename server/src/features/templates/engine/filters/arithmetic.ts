/**
 * The filters of numbers as the reference implementation has them: text that is no number counts as the whole number
 * it begins with, whole numbers are divided into whole numbers, and decimals add up as on paper. The data of a person
 * make none of them fail: without a result there is nothing to print.
 */
import type { Liquid } from 'liquidjs';
import { textOf } from '../template-data.ts';

const DECIMAL = /^-?\d+\.\d+$/;
const WHOLE = /^[+-]?\d+/;
/** Larger numbers than there are have fewer digits; what is behind them is not read. */
const DIGITS_MAX = 400;

/** A value as the number it stands for; 0 for everything that is none. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return 0;
  const text = value.slice(0, DIGITS_MAX).trim();
  return DECIMAL.test(text) ? Number(text) : Number(WHOLE.exec(text)?.[0] ?? 0);
}

/** Numbers of 15 digits are exact in decimals; what a sum has behind these is of the computer. */
const asOnPaper = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(15)));

const printable = (value: number): number | string => (Number.isFinite(value) ? value : '');

/** Whether a number was written with a point, as `7.0`: the value does not know. */
const hasPoint = (source: string): boolean => /^['"]?\s*-?\d+\.\d/.test(source);

export function registerArithmetic(liquid: Liquid): void {
  const register = (name: string, result: (value: number, by: number) => number): void =>
    liquid.registerFilter(name, (value: unknown, by?: unknown) => printable(result(numberOf(value), numberOf(by))));
  register('plus', (value, by) => asOnPaper(value + by));
  register('minus', (value, by) => asOnPaper(value - by));
  register('times', (value, by) => asOnPaper(value * by));
  register('modulo', (value, by) => asOnPaper(modulo(value, by)));
  register('abs', Math.abs);
  register('ceil', Math.ceil);
  register('floor', Math.floor);
  register('round', rounded);
  register('at_least', (value, least) => Math.max(value, least));
  register('at_most', (value, most) => Math.min(value, most));
  liquid.registerFilter('divided_by', function (value: unknown, by?: unknown) {
    const [argument] = this.token.args;
    const isWritten = argument !== undefined && !Array.isArray(argument) && hasPoint(argument.getText());
    const [dividend, divisor] = [numberOf(value), numberOf(by)];
    const isWhole = Number.isInteger(dividend) && Number.isInteger(divisor) && !isWritten && !hasPoint(textOf(by));
    return printable(isWhole ? Math.floor(dividend / divisor) : dividend / divisor);
  });
}

/** It has the sign of the divisor. */
const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Halves go away from zero. The point is moved in the text of the number: 1.005 times 100 is less than 100.5. */
function rounded(value: number, digits: number): number {
  const places = Math.trunc(digits);
  const moved = (number: number, by: number): number => {
    const [mantissa = '', exponent = '0'] = String(number).split('e');
    return Number(`${mantissa}e${Number(exponent) + by}`);
  };
  return Math.sign(value) * moved(Math.round(moved(Math.abs(value), places)), -places);
}

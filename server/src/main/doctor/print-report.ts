import type { Finding } from './finding.ts';
import type { Report } from './doctor.ts';

const PROVIDERS = { ses: 'Amazon SES', smtp: 'SMTP', capture: 'capture' };

/** The report for a terminal: one line a check, and below it what to do when it is not well. */
export function printReport({ provider, checks, ok }: Report): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const lines = checks.flatMap((finding) => linesOf(finding, width));
  const errors = checks.filter(({ status }) => status === 'error').length;
  const warnings = checks.filter(({ status }) => status === 'warning').length;
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const verdict = ok && warnings === 0 ? 'All is well.' : `${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
  return [`Provider: ${PROVIDERS[provider]}`, '', ...lines, '', verdict].join('\n');
}

function linesOf({ id, status, message, cause, fix }: Finding, width: number): string[] {
  const line = `${status.padEnd(7)}  ${id.padEnd(width)}  ${message}`;
  const indent = ' '.repeat(width + 11);
  return [
    line,
    ...(cause === null ? [] : [`${indent}cause: ${cause}`]),
    ...(fix === null ? [] : [`${indent}fix:   ${fix}`]),
  ];
}

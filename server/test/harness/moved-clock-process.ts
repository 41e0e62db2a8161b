/**
 * Loaded into a real process before everything else (`node --import …/moved-clock-process.ts`): its wall clock starts
 * at the instant TEST_CLOCK_AT and runs from there; SIGUSR2 puts it at TEST_CLOCK_THEN and says so. Timers and
 * deadlines, which do not use the wall clock, continue as before, and so does PostgreSQL.
 */
import { writeSync } from 'node:fs';

const RealDate = Date;
const instant = (name: string): number => RealDate.parse(process.env[name] ?? '');
let offsetMs = instant('TEST_CLOCK_AT') - RealDate.now();

// A class would lose Date() called as a function and Date's own static methods; a proxy keeps both.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + offsetMs] : args, newTarget) as object,
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + offsetMs : (Reflect.get(target, name, receiver) as unknown),
});

process.on('SIGUSR2', () => {
  offsetMs = instant('TEST_CLOCK_THEN') - RealDate.now();
  writeSync(2, 'the clock was moved\n');
});

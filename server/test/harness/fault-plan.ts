/**
 * Loaded into a real process before everything else (`node --import …/fault-plan.ts`): at a given passing of a named
 * point the process kills itself with SIGKILL, freezes, or throws. The environment variable CRASH_PLAN contains the
 * plan. Each fault is said on standard error before it happens, so that a test can tell it from an accident.
 *
 * Nothing happens, and no passing is counted, before SIGUSR2 arms the plan: a process that takes the place of a killed
 * one first clears up what that one left. CRASH_ARMED=1 arms it at once, for faults of the start itself.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { onFaultPoint } from '#platform/fault-points.ts';
import { standStill } from './stand-still.ts';

export interface Fault {
  /** Name of the point, as in `reach('…')`. */
  at: string;
  /** Which passing: 1 is the first after the plan was armed. */
  pass: number;
  /** `kill`: SIGKILL, no chance to clean up. `freeze`: SIGSTOP; it goes on where it was with SIGCONT. */
  act: 'kill' | 'freeze' | 'throw';
}

const faults = JSON.parse(process.env['CRASH_PLAN'] ?? '[]') as Fault[]; // written by our own tests
const passed = new Map<string, number>();

function reached(name: string): void {
  const pass = (passed.get(name) ?? 0) + 1;
  passed.set(name, pass);
  const fault = faults.find((one) => one.at === name && one.pass === pass);
  if (fault === undefined) return;
  writeSync(2, `fault: ${fault.act} at ${name}, passing ${pass}\n`);
  if (fault.act === 'throw') throw new Error(`a planned fault at ${name}`);
  process.kill(process.pid, fault.act === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  // Another thread may take the signal; until it has, this one goes no step further.
  standStill(200);
}

function arm(): void {
  flushCompileCache(); // a killed process leaves no cache to the next one
  onFaultPoint(reached);
  writeSync(2, 'fault plan armed\n');
}

if (process.env['CRASH_ARMED'] === '1') arm();
else process.on('SIGUSR2', arm);

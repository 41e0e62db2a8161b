/**
 * A reporter of `node --test` that writes a line of JSON for each suite and test that ended, and for each error that no
 * test was running for.
 */
import type { TestEvent } from 'node:test/reporters';

export interface Timing {
  name: string;
  /** Milliseconds, hooks of a suite included. */
  ms: number;
  /** 0: a test file, which is a suite of its process; 1: a test of that file. */
  nesting: number;
  file: string;
}

/** Node fails the process of such an error, and tells the error nowhere but among the notes of that process. */
export interface OutsideError {
  outside: string;
}

const IS_OUTSIDE = /^(Error|Warning): .* asynchronous activity after the test ended/s;

// Node takes a reporter's default export.
// oxlint-disable-next-line import/no-default-export
export default async function* timings(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && IS_OUTSIDE.test(data.message)) {
      const error: OutsideError = { outside: data.message };
      yield `${JSON.stringify(error)}\n`;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const timing: Timing = {
      name: data.name,
      ms: data.details.duration_ms,
      nesting: data.nesting,
      file: data.file ?? '',
    };
    yield `${JSON.stringify(timing)}\n`;
  }
}

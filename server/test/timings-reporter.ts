/** A reporter of `node --test` that writes a line of JSON for each suite and test that ended. */
import type { TestEvent } from 'node:test/reporters';

export interface Timing {
  name: string;
  /** Milliseconds, hooks of a suite included. */
  ms: number;
  /** 0: a test file, which is a suite of its process; 1: a test of that file. */
  nesting: number;
  file: string;
}

// Node takes a reporter's default export.
// oxlint-disable-next-line import/no-default-export
export default async function* timings(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
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

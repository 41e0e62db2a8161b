import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningDashboard } from './dashboard.ts';

export type Page = Awaited<ReturnType<RunningDashboard['open']>>['page'];

/** The frame of mail loads no picture before it is asked to, and the browser says so. */
export const withoutPictures = (errors: readonly string[]): string[] => errors.filter((text) => !/img-src/.test(text));

/** The folder for a picture of each step and a recording of each journey; without it neither is made. */
const FOLDER = process.env['POSTHORN_JOURNEY_PICTURES'];

/** Takes the pictures of one journey: `step('the dry run')` writes `mouse-07-the-dry-run.png`. */
export function picturesOf(journey: string, page: Page): (step: string) => Promise<void> {
  let count = 0;
  return async (step) => {
    if (FOLDER === undefined) return;
    mkdirSync(FOLDER, { recursive: true });
    count += 1;
    const name = `${journey}-${String(count).padStart(2, '0')}-${step.replaceAll(/\W+/g, '-')}.png`;
    await page.screenshot({ path: join(FOLDER, name) });
  };
}

const TEN_MINUTES_MS = 600_000;

export interface Course {
  /**
   * Records what happens in the pages: the calls, what was on the screen, and the requests. `playwright-core show-trace
   * mouse.zip` shows it as it went on.
   */
  record(context: ReturnType<Page['context']>): Promise<void>;
  end(): Promise<void>;
  isShort(): void;
}

/** The course of one journey, from the moment before `npm start`. */
export function beginCourse(journey: string): Course {
  const began = performance.now();
  let recorded: ReturnType<Page['context']> | undefined;
  return {
    async record(context) {
      if (FOLDER === undefined) return;
      await context.tracing.start({ title: journey, screenshots: true, snapshots: true });
      recorded = context;
    },
    async end() {
      if (FOLDER !== undefined) await recorded?.tracing.stop({ path: join(FOLDER, `${journey}.zip`) });
    },
    isShort() {
      const took = performance.now() - began;
      assert.ok(took < TEN_MINUTES_MS, `${(took / 60_000).toFixed(1)} minutes`);
    },
  };
}

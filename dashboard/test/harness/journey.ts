import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningDashboard } from './dashboard.ts';

export type Page = Awaited<ReturnType<RunningDashboard['open']>>['page'];

/** The frame of mail loads no picture before it is asked to, and the browser says so. */
export const withoutPictures = (errors: readonly string[]): string[] => errors.filter((text) => !/img-src/.test(text));

/** The folder for a picture of each step; without it no picture is taken. */
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

import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Clock } from '#platform/clock.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';
import { SERVED_DAYS } from './delete-image.ts';
import {
  deleteLapsedImages,
  deletePageOfImages,
  endImagePurge,
  findImagePurge,
  insertImagePurge,
} from './purge-queries.ts';

/** Up to 10 MB each. */
const PAGE = 20;
const NAME = 'deleted images';

/** In the transaction that deletes a workspace: its images are served no more, and go page by page. */
export const queueImagePurge = (tx: Db, workspaceId: string): Promise<void> => insertImagePurge(tx, workspaceId);

/** Removes a page of what was deleted long enough ago, or of a deleted workspace. False: there is no more. */
export async function purgeImages(db: Db): Promise<boolean> {
  if ((await deleteLapsedImages(db, SERVED_DAYS, PAGE)) > 0) return true;
  const workspaceId = await findImagePurge(db);
  if (workspaceId === undefined) return false;
  if ((await deletePageOfImages(db, workspaceId, PAGE)) === 0)
    await inTransaction(db, (tx) => endImagePurge(tx, workspaceId));
  return true;
}

/** The same once an hour, in one process. */
export const purgeImagesService = (parts: { db: Db; clock: Clock; log: Log }): Service => {
  const of = { ...parts, name: NAME };
  return hourlyService(of, 'deleted images could not be removed; trying again later', (goOn, stopping) =>
    inThisHour(of, ({ everyPage }) => everyPage(() => purgeImages(parts.db)), goOn, stopping),
  );
};

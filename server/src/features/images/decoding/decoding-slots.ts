import { AppError } from '#platform/errors/app-error.ts';

/** Each has a process with up to 700 MB and one processor. */
const AT_ONCE = 2;
const WAITING_MAX = 16;
/** One workspace leaves places for the others. */
const WAITING_OF_ONE_MAX = 8;
const RETRY_AFTER_SECONDS = 2;

export type DecodingSlots = <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  workspaceId: string;
  begin(): void;
}

/**
 * Decodes two images at a time in this process. Others wait for their turn, a bounded number of them: 503 beyond. A
 * workspace with nothing under way comes before one that has.
 */
export function createDecodingSlots(): DecodingSlots {
  const running: string[] = [];
  const waiting: Waiting[] = [];
  const next = (): void => {
    const fair = waiting.findIndex(({ workspaceId }) => !running.includes(workspaceId));
    const [first] = waiting.splice(Math.max(fair, 0), 1);
    if (first === undefined) return;
    running.push(first.workspaceId);
    first.begin();
  };
  return async (workspaceId, work) => {
    if (running.length >= AT_ONCE) {
      const own = waiting.filter((one) => one.workspaceId === workspaceId).length;
      if (waiting.length >= WAITING_MAX || own >= WAITING_OF_ONE_MAX) throw full();
      await new Promise<void>((begin) => waiting.push({ workspaceId, begin }));
    } else running.push(workspaceId);
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(workspaceId), 1);
      next();
    }
  };
}

const full = (): AppError =>
  new AppError(
    'service_unavailable_error',
    'Many images are being read at this moment. Send the file again in a moment.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS, expected: true },
  );

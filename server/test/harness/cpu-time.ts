/**
 * What a piece of work costs this thread, in milliseconds of processor time: the best of several runs, so that a busy
 * machine, a cold start or a garbage collection does not count as ours.
 */
export function cpuMsOf(work: () => unknown, runs = 5): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** Counts the processor time of this thread from now on, for work that waits: the milliseconds so far. */
export function cpuTime(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}

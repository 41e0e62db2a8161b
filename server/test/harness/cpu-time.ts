/**
 * What a piece of work costs this thread, in milliseconds of processor time: the best of five runs, so that a busy
 * machine, a cold start or a garbage collection does not count as ours.
 */
export function cpuMsOf(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

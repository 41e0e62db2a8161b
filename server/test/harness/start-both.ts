interface Starting<T> {
  started: Promise<T>;
  end(it: T): Promise<unknown>;
}

/**
 * Waits for two that start side by side. When one of them fails, the other is ended: nobody else knows of it, and what
 * still runs keeps the process of the tests, and with it the whole run, from ending.
 */
export async function startBoth<First, Second>(
  first: Starting<First>,
  second: Starting<Second>,
): Promise<[First, Second]> {
  const [one, other] = await Promise.allSettled([first.started, second.started]);
  if (one.status === 'fulfilled' && other.status === 'fulfilled') return [one.value, other.value];
  if (one.status === 'fulfilled') await first.end(one.value);
  if (other.status === 'fulfilled') await second.end(other.value);
  throw one.status === 'rejected' ? one.reason : (other as PromiseRejectedResult).reason;
}

import { useEffect, useState } from 'react';

/**
 * The whole seconds until an instant, counted down; 0 when it is over. More than `most` is the clock of another machine
 * that goes before ours: nobody waits for that.
 */
export function useSecondsUntil(at: number, most: number): number {
  const [, setTick] = useState(0);
  const left = leftUntil(at, most);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 1_000);
    return () => clearInterval(timer);
  }, [isOver]);
  return left;
}

function leftUntil(at: number, most: number): number {
  const left = Math.ceil((at - Date.now()) / 1_000);
  return left > most ? 0 : Math.max(left, 0);
}

import { useEffect, useState } from 'react';

/**
 * `opened`, and false at first: Mantine notes which element has the focus when a dialog opens, to give it back, and
 * notes nothing of one that is open when it is mounted.
 */
export function useOpensLater(opened: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setMounted(true), 0);
    return () => clearTimeout(timer);
  }, []);
  return isMounted && opened;
}

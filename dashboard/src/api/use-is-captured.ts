import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { getOverviewOptions } from './generated/@tanstack/react-query.gen.ts';

/** Asks whether this server captures its mail and sends none. False when that is not known. */
export function useIsCaptured(): () => Promise<boolean> {
  const queries = useQueryClient();
  return useCallback(async () => {
    const overview = await queries.ensureQueryData(getOverviewOptions()).catch(() => undefined);
    return overview?.provider.name === 'capture';
  }, [queries]);
}

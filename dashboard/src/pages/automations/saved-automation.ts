import { queryOptions } from '@tanstack/react-query';
import { getAutomation } from '../../api/generated/sdk.gen.ts';
import type { Automation } from '../../api/generated/types.gen.ts';

/** An automation as it was read, with the tag that a change of it names. */
export interface SavedAutomation {
  automation: Automation;
  etag: string;
}

export const savedOf = ({ data, response }: { data: Automation; response: Response }): SavedAutomation => ({
  automation: data,
  etag: response.headers.get('etag') ?? '',
});

/** The automation of now, never one that a cache remembers. */
export const readSaved = async (id: string): Promise<SavedAutomation> =>
  savedOf(await getAutomation({ path: { id }, cache: 'no-store', throwOnError: true }));

export const savedAutomation = (id: string) =>
  queryOptions({ queryKey: [{ _id: 'getAutomation', path: { id }, tagged: true }], queryFn: () => readSaved(id) });

import { getTemplate } from '../../../api/generated/sdk.gen.ts';
import type { Template } from '../../../api/generated/types.gen.ts';

/** A version as it was read, with the tag that a change of it names. */
export interface SavedTemplate {
  template: Template;
  etag: string;
}

interface Answer {
  data: Template;
  response: Response;
}

export const savedOf = ({ data, response }: Answer): SavedTemplate => ({
  template: data,
  etag: response.headers.get('etag') ?? '',
});

/** The newest version, never one that a cache remembers. */
export const readForEditing = async (id: string): Promise<SavedTemplate> =>
  savedOf(await getTemplate({ path: { id }, cache: 'no-store', throwOnError: true }));

/** The names of the records that an email belongs to. Undefined: not read yet, gone, or not for the person to see. */
import { useQuery } from '@tanstack/react-query';
import {
  getApiKeyOptions,
  getBroadcastOptions,
  getDomainOptions,
  getIssueOptions,
  getNewsletterOptions,
  getTemplateOptions,
} from '../../api/generated/@tanstack/react-query.gen.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';

/** Names change rarely. */
const STALE_MS = 60_000;

type Id = string | undefined;

/** A record that is missing stays missing. */
const once = (id: Id) => ({ enabled: id !== undefined, staleTime: STALE_MS, retry: false });

export const useDomainName = (id: Id): string | undefined =>
  useQuery({ ...getDomainOptions({ path: { id: id ?? '' } }), ...once(id) }).data?.data.domain;

export const useKeyName = (id: Id): string | undefined =>
  useQuery({ ...getApiKeyOptions({ path: { id: id ?? '' } }), ...once(id) }).data?.name;

export const useNewsletterName = (id: Id): string | undefined =>
  useQuery({ ...getNewsletterOptions({ path: { id: id ?? '' } }), ...once(id) }).data?.name;

export const useTemplateName = (id: Id): string | undefined =>
  useQuery({ ...getTemplateOptions({ path: { id: id ?? '' } }), ...once(id) }).data?.name;

export const useBroadcastName = (id: Id): string | undefined =>
  useQuery({ ...getBroadcastOptions({ path: { id: id ?? '' } }), ...once(id) }).data?.name;

/** An issue is read under its newsletter. */
export function useIssueName(newsletterId: Id, issueId: Id): string | undefined {
  const path = { id: newsletterId ?? '', issueId: issueId ?? '' };
  const { data } = useQuery({
    ...getIssueOptions({ path }),
    ...once(newsletterId === undefined ? undefined : issueId),
  });
  return data && shownSubject(data.subject);
}

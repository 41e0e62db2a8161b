import { useNavigate, useSearch } from '@tanstack/react-router';

export type UrlState<K extends string> = Readonly<Partial<Record<K, string>>>;

/**
 * State that belongs into the address: filters, tabs, pages, open dialogs. An empty value leaves the address. Filters
 * replace the entry of the history, so that "back" leaves the page; give `push` for what a person would go back from.
 */
export function useUrlState<K extends string>(
  names: readonly K[],
): [UrlState<K>, (change: { readonly [N in K]?: string | undefined }, how?: { push?: boolean }) => void] {
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const state: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (value !== undefined && value !== '') state[name] = value;
  }
  const set = (change: { readonly [N in K]?: string | undefined }, how: { push?: boolean } = {}) => {
    void navigate({
      to: '.',
      search: ((before: Record<string, string>) => {
        const next: Record<string, string> = { ...before };
        for (const [name, value] of Object.entries<string | undefined>(change)) {
          if (value === undefined || value === '') delete next[name];
          else next[name] = value;
        }
        return next;
      }) as never, // the search of "." has the type of every route at once
      replace: how.push !== true,
      resetScroll: false,
    });
  };
  return [state, set];
}

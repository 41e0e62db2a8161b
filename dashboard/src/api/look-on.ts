interface Page {
  data: readonly unknown[];
  has_more: boolean;
  next_cursor: string | null;
}

/** One page of the API looks at 10,000 records (decision 0096), in about 30 ms. */
export const LOOKS_MAX = 5;

/**
 * The first page with rows, from the cursor on: a filter without an index may match older records only. Gives the last
 * page it has read when five have none.
 */
export async function lookOn<P extends Page>(
  read: (cursor: string | undefined) => Promise<P>,
  after: string | undefined,
): Promise<P> {
  let page = await read(after);
  for (let looks = 1; looks < LOOKS_MAX; looks += 1) {
    if (page.data.length > 0 || !page.has_more || page.next_cursor === null) break;
    // oxlint-disable-next-line no-await-in-loop -- the cursor of the next page stands in this one
    page = await read(page.next_cursor);
  }
  return page;
}

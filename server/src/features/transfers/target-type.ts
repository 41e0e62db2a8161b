/** The lists that files go into and come from. A feature that owns one gives its target; main passes them all. */
export type TargetType = 'newsletter' | 'list';

/** The records in the files of a kind of list, as scopes name them: `contacts:read`. */
const RECORDS_OF = { newsletter: 'subscribers', list: 'contacts' } as const satisfies Record<TargetType, string>;

export const scopeOf = (type: TargetType, verb: 'read' | 'write'): string => `${RECORDS_OF[type]}:${verb}`;

/** The kinds whose files a caller may read. */
export const readableTypes = (actor: { may(scope: string): boolean }): TargetType[] =>
  (['newsletter', 'list'] as const).filter((type) => actor.may(scopeOf(type, 'read')));

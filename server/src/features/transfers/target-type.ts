/** The lists that files go into and come from. A feature that owns one gives its target; main passes them all. */
export const TARGET_TYPES = ['newsletter', 'list', 'suppression'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** The record in the files of a kind of list, as scopes name them: `contacts:read`. */
const RECORDS_OF = {
  newsletter: 'subscribers',
  list: 'contacts',
  suppression: 'suppressions',
} as const satisfies Record<TargetType, string>;

export const scopeOf = (type: TargetType, verb: 'read' | 'write'): string => `${RECORDS_OF[type]}:${verb}`;

/** The access of a route of all kinds. The record that it finds needs the scope of its own kind. */
export const accessOf = (verb: 'read' | 'write') => ({
  scope: scopeOf('newsletter', verb),
  orScope: [scopeOf('list', verb), scopeOf('suppression', verb)],
});

/** The kinds whose files a caller may read. */
export const readableTypes = (actor: { may(scope: string): boolean }): TargetType[] =>
  TARGET_TYPES.filter((type) => actor.may(scopeOf(type, 'read')));

/** Whether what came from a file can go again. A suppression goes by a decision about its address. */
export const canGoAgain = (type: TargetType): boolean => type !== 'suppression';

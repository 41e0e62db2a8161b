/** The lists that files go into and come from. A feature that owns one gives its target; main passes them all. */
export type TargetType = 'newsletter' | 'list';

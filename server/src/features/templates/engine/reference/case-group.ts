/** Templates that the reference implementation and ours render with the same data. */
export interface CaseGroup {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly templates: readonly string[];
}

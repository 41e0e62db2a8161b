/** Where a check looks. Tests point it at a planted tree. */
export interface Tree {
  /** The repository. */
  root: string;
  /** The server package inside it. */
  server: string;
}

/** One of our own rules: answers with a sentence per violation, each beginning with `file:line` where there is one. */
export interface Check {
  name: string;
  run(tree: Tree): Promise<string[]> | string[];
}

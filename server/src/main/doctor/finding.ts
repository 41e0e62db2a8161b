import { fillIn } from '../fill-in.ts';

/** The result of one check. `cause` and `fix` are there when it is not well. */
export interface Finding {
  id: string;
  status: 'ok' | 'warning' | 'error' | 'skipped';
  message: string;
  cause: string | null;
  fix: string | null;
}

/** Something that can be wrong. `<words in brackets>` are filled in when it is found. */
export interface Trouble {
  status: 'warning' | 'error';
  cause: string;
  fix: string;
}

/** One check of the doctor, with everything that it can find: the manual is made of this. */
export interface About<Kind extends string = string> {
  id: string;
  looksAt: string;
  troubles: Readonly<Record<Kind, Trouble>>;
}

/** Keeps the names of the troubles in the type, so that a check can only report what the manual has. */
export const about = <const Kind extends string>(check: About<Kind>): About<Kind> => check;

export const ok = ({ id }: About, message: string): Finding => ({ id, status: 'ok', message, cause: null, fix: null });

/** The checks that cannot be made, because something before them failed or there is nothing to check. */
export const skipped = ({ id }: About, message: string): Finding => ({
  id,
  status: 'skipped',
  message,
  cause: null,
  fix: null,
});

export function trouble<Kind extends string>(
  check: About<Kind>,
  kind: Kind,
  message: string,
  values: Readonly<Record<string, string>> = {},
): Finding {
  const { status, cause, fix } = check.troubles[kind];
  return { id: check.id, status, message, cause: fillIn(cause, values), fix: fillIn(fix, values) };
}

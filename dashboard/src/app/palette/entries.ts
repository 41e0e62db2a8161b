import { useChoices } from './choices.ts';
import { type Command, matches } from './command.ts';
import { useCommands } from './commands.ts';
import { useFound } from './find.ts';
import { useOnThisPage } from './on-this-page.ts';

const isPossible = ({ disabledReason }: Command) => disabledReason === undefined;
const isForbidden = (command: Command) => !isPossible(command);

interface Entries {
  shown: readonly Command[];
  /** Whether the server has answered for the whole query. */
  isAnswered: boolean;
}

/**
 * The entries of the palette, in their order: the actions of the page behind it, every page and every other action, and
 * whatever the text names. All that has to be asked for comes at once and below the rest, so that nothing moves under
 * the pointer. An action that cannot be done comes last, but while nothing is typed those of this page do not.
 */
export function useEntries(query: string, isOpen: boolean): Entries {
  const text = query.trim();
  const found = useFound(query);
  const everywhere = useCommands(query);
  const choices = useChoices(text);
  const onThisPage = useOnThisPage(isOpen).filter((one) => matches(one, text));
  // Rows may be many and have names: they need words, and come after the records of these words.
  const here = onThisPage.filter(({ isOfRow }) => !isOfRow);
  // A page with exactly this name comes before one that is found by another word: "members" is one of Lists, too.
  const isMeant = ({ label }: Command) => Number(label.toLowerCase() === text.toLowerCase());
  const commands = everywhere
    .filter(({ label }) => !here.some((one) => one.label === label))
    .toSorted((a, b) => isMeant(b) - isMeant(a));
  const ofRows = onThisPage.filter(
    ({ isOfRow, label }) => isOfRow && text !== '' && !commands.some((one) => one.label === label),
  );
  const isAnswered = found !== undefined && choices !== undefined;
  const forbiddenHere = here.filter(isForbidden);
  const first = [...here.filter(isPossible), ...(text === '' ? forbiddenHere : []), ...commands.filter(isPossible)];
  if (!isAnswered) return { shown: first, isAnswered };
  // A record comes before what can be done with it: Enter after a name opens, and makes nothing.
  const some = [...ofRows, ...choices];
  const forbidden = [...(text === '' ? [] : forbiddenHere), ...[...commands, ...some].filter(isForbidden)];
  return { shown: [...first, ...found.records, ...some.filter(isPossible), ...found.lists, ...forbidden], isAnswered };
}

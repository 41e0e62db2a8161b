/**
 * The part about each person of several: the words between the line that begins with an address and the
 * line that begins with the next. Undefined unless every address has words of its own: in a list with one reason below
 * it nobody can tell whom the reason is about, and the last of the list would be blamed for it.
 */
export function paragraphsOf(said: string, addresses: readonly string[]): Map<string, string> | undefined {
  const found = new Map<string, string>();
  let current: string | undefined;
  for (const line of said.split(/\r?\n/)) {
    const named = addressBeginning(line);
    if (named !== undefined && addresses.includes(named)) {
      current = named;
      const rest = line.slice(line.toLowerCase().indexOf(named) + named.length).replace(/^[>:\s"')\]]+/, '');
      found.set(current, `${found.get(current) ?? ''}\n${rest}`);
    } else if (current !== undefined) {
      // A ruler or a new section ends what was said of the last one.
      if (/^\s*(?:-{3,}|={3,}|_{3,}|\*{3,})/.test(line)) current = undefined;
      else found.set(current, `${found.get(current) ?? ''}\n${line}`);
    }
  }
  const isComplete = addresses.every((address) => /[a-z0-9]{2}/i.test(found.get(address) ?? ''));
  return isComplete ? found : undefined;
}

/** In brackets or quotes or not, and after a bullet. */
function addressBeginning(line: string): string | undefined {
  return /^[\s<"'([*•-]{0,12}([^\s<>"'()[\],;:]{1,64}@[a-z0-9.-]{1,253}[a-z0-9])/i.exec(line)?.[1]?.toLowerCase();
}

/** Everything that stands in backticks. */
export const backticked = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');

/** The lines under a heading or after a label (`## Tables`, `**Tables**: …`, `- Tables: …`), up to the next one. */
export function section(text: string, title: string): string {
  const lines: string[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const label = /^(?:#+\s*|[-*]?\s*\**)([A-Z][A-Za-z ]*?)\**\s*(?::|\.|$|\*\*)/.exec(line)?.[1];
    if (label !== undefined)
      inside = label.split(' ').includes(title) || label.split(' ').includes(title.toLowerCase());
    if (inside) lines.push(line);
  }
  return lines.join('\n');
}

/** The first paragraph of a section. */
export const paragraph = (text: string, title: string): string =>
  section(text, title)
    .replace(/^#.*\n+/, '')
    .split(/\n\s*\n/)[0] ?? '';

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, readText } from './source-tree.ts';

const EXTENSION = /\.(ts|tsx|mjs|js|json|md|sql|sh|yml|yaml|html|css|eml)$/;
const PATH = /^#?\.{0,2}\/?[\w.@-]+(\/[\w.@-]+)*\/?$/;

/** Every repository path that a document cites exists: documents of location rot, so they are checked. */
export const citedPaths: Check = {
  name: 'docs-paths',
  run({ root, server }) {
    return filesBelow(root)
      .filter((file) => file.endsWith('.md'))
      .flatMap((document) => {
        const text = withoutCodeBlocks(readText(root, document));
        const homes = [join(root, dirname(document)), root, server, join(server, 'src')];
        return text.split('\n').flatMap((line, index) =>
          pathsCitedIn(line, homes)
            .filter(({ target, isLink }) => !isThere(target, isLink ? homes.slice(0, 1) : homes, server))
            .map(({ target }) => `${document}:${index + 1} cites ${target}, which does not exist`),
        );
      });
  },
};

const withoutCodeBlocks = (text: string): string =>
  text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, ''));

function pathsCitedIn(line: string, homes: string[]): { target: string; isLink: boolean }[] {
  const links = [...line.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:|^\/\//.test(target));
  const quoted = [...line.matchAll(/`([^`\s]+)`/g)]
    .map((match) => match[1] ?? '')
    .filter((text) => looksCited(text, homes));
  return [...links.map((target) => ({ target, isLink: true })), ...quoted.map((target) => ({ target, isLink: false }))];
}

/**
 * `docs/errors.md`, `server/src/mail/`, `#platform/clock.ts`; but neither `/v1/send`, `text/html` nor a lone
 * `queries.ts`.
 */
function looksCited(text: string, homes: string[]): boolean {
  if (!PATH.test(text) || !text.includes('/') || text.startsWith('/')) return false;
  if (/^#(platform|mail|providers|features)\//.test(text)) return true;
  if (EXTENSION.test(text)) return true;
  const first = text.split('/')[0] ?? '';
  return text.endsWith('/') && text.split('/').length > 2 && homes.some((home) => existsSync(join(home, first)));
}

function isThere(target: string, homes: string[], server: string): boolean {
  const alias = /^#(platform|mail|providers|features)\/(.+)$/.exec(target);
  if (alias) return existsSync(join(server, 'src', alias[1] ?? '', alias[2] ?? ''));
  return homes.some((home) => existsSync(join(home, target)));
}

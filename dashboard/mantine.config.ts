import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** The names of classes of a part of Mantine. It is in a chunk wherever the part is. */
const CLASSES = /\/node_modules\/@mantine\/core\/esm\/(?:\w+\/)+(\w+)\.module\.mjs$/;
const MANTINE = '/node_modules/@mantine/core/esm/components/';
const OURS = fileURLToPath(new URL('src/', import.meta.url)).replaceAll('\\', '/');
const MAIN = `${OURS}start.tsx`;

/**
 * Parts that hang on those of the frame as properties, so every page would load them, and that no page uses. 4 kB.
 * A page that uses one fails the build: then it leaves this list.
 */
const UNUSED =
  /\b(?:Menu\.(?:Search|Sub|CheckboxItem|CheckboxGroup|RadioItem|RadioGroup|ContextMenu)|Popover\.ContextMenu|Tooltip\.(?:Floating|Group)|Button\.(?:Group|GroupSection)|ActionIcon\.(?:Group|GroupSection))\b/;
const HANGING = new RegExp(`^${UNUSED.source} = \\w+;$`, 'gm');

/**
 * Sheets of what opens above a page, in the order of the parts. The parts come after the page, and each sheet of a
 * layer makes a browser look at the whole page anew: 25 to 35 ms for fifty rows, 100 to 140 ms of a phone, once for
 * each. They are 4 kB with gzip together, and come before there is a page.
 */
export const SHEETS = [
  ...[
    'ScrollArea',
    'Overlay',
    'Popover',
    'ModalBase',
    'Combobox',
    'Drawer',
    'Menu',
    'Modal',
    'Mark',
    'Notification',
    'Tooltip',
  ].map((part) => `@mantine/core/styles/${part}.layer.css`),
  '@mantine/notifications/styles.layer.css',
  '@mantine/spotlight/styles.layer.css',
];

/** It has the work of a whole theme when it is evaluated, and `deduplicateCssVariables` is off in `app/App.tsx`. */
const DEDUPLICATES = /\/remove-default-variables\.mjs$/;

/**
 * Mantine, as far as a page uses it. Each part brings its sheet, so a page loads the sheets of the parts that it has.
 * They come in the order of the modules, in which a part comes after those that it is made of, and all of them are in
 * one layer below our own. While developing, Vite bundles Mantine before this can see it: then all sheets are loaded.
 */
export const mantineParts = (): Plugin => {
  let building = false;
  return {
    name: 'posthorn-mantine',
    configResolved({ command }) {
      building = command === 'build';
    },
    transform(code, id) {
      const path = id.replaceAll('\\', '/');
      if (!building) return path === MAIN ? importing('@mantine/core/styles.layer.css', code) : null;
      if (path === MAIN) return importing(SHEETS.join(`';\nimport '`), code);
      if (DEDUPLICATES.test(path)) return { code: 'export const removeDefaultVariables = (all) => all;', map: null };
      const [used] = (path.startsWith(OURS) && UNUSED.exec(code)) || [];
      if (used !== undefined)
        throw new Error(`${used} is left out by dashboard/mantine.config.ts, and ${path} uses it`);
      const part = CLASSES.exec(path)?.[1];
      const sheet = `@mantine/core/styles/${part}.layer.css`;
      if (part !== undefined) return hasSheet(sheet) ? importing(sheet, code) : null;
      return path.includes(MANTINE) ? { code: code.replace(HANGING, ''), map: null } : null;
    },
  };
};

const hasSheet = (sheet: string): boolean => existsSync(new URL(`node_modules/${sheet}`, import.meta.url));
const importing = (sheet: string, code: string) => ({ code: `import '${sheet}';\n${code}`, map: null });

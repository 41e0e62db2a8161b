import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from './check.ts';
import { filesBelow } from './source-tree.ts';

const LAYERS = new Set(['main', 'features', 'mail', 'providers', 'platform']);

/** The import rules are written by folder: one that they do not know would be judged by none of them. */
export const layers: Check = {
  name: 'layers',
  async run({ server }) {
    const order = pathToFileURL(join(server, 'src/main/feature-order.ts'));
    const { FEATURE_ORDER }: { FEATURE_ORDER: readonly string[] } = await import(order.href);
    const strays = filesBelow(join(server, 'src')).flatMap((file) => {
      const [layer = '', feature = ''] = file.split('/');
      if (!LAYERS.has(layer)) return [`server/src/${layer} is none of ${[...LAYERS].join(', ')}`];
      if (layer !== 'features' || FEATURE_ORDER.includes(feature)) return [];
      return [`server/src/features/${feature} has no place in the order of features (feature-order.ts in main)`];
    });
    return [...new Set(strays)];
  },
};

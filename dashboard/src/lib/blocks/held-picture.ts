/** Pictures that stand in the text and are still being uploaded. They are in no html and in no stored document. */
import { fieldOf, listOf } from './unknown-json.ts';

/** No address that mail may load, so it is never rendered. */
const HELD = 'held:';
let last = 0;

export function newHeldAddress(): string {
  last += 1;
  return `${HELD}${last}`;
}

export const isHeld = (src: unknown): boolean => typeof src === 'string' && src.startsWith(HELD);

/** The JSON of a document without them. */
export function withoutHeld(node: unknown): unknown {
  const content = fieldOf(node, 'content');
  if (!Array.isArray(content)) return node;
  const kept = listOf(content).filter((one) => !isHeld(fieldOf(fieldOf(one, 'attrs'), 'src')));
  return { ...Object(node), content: kept.map(withoutHeld) };
}

const DATA_PICTURE = /^data:(image\/[a-z0-9.+-]+)[^,]*;base64,/i;

/** The picture in a `data:` address; undefined: it is none. */
export function fileOfData(address: string): File | undefined {
  const [head = '', type = ''] = DATA_PICTURE.exec(address) ?? [];
  if (head === '') return undefined;
  try {
    const bytes = Uint8Array.from(atob(decodeURIComponent(address.slice(head.length))), (letter) =>
      letter.charCodeAt(0),
    );
    return new File([bytes], `pasted.${type.split('/')[1]?.toLowerCase() ?? 'png'}`, { type: type.toLowerCase() });
  } catch {
    return undefined; // it is cut or no base64
  }
}

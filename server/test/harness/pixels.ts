import type { Browser } from 'playwright-core';

/** Text of this size is read at a contrast of 4.5 (WCAG 2.2, 1.4.3). */
export const CONTRAST_MIN = 4.5;

/** In CSS pixels of a picture of a page. */
export type Place = Record<'x' | 'y' | 'width' | 'height', number>;

/** Of the pixels at a place. */
export interface Drawn {
  /** Of the lightest and the darkest one (WCAG 2.2). */
  contrast: number;
  /** The share of dark ones. */
  dark: number;
  /** Red, green and blue of the one in the middle. */
  middle: number[];
}

/** Looks into a picture at each place; null for null. The browser has everything that this takes. */
export async function drawnIn(
  on: Browser,
  picture: Buffer,
  places: readonly (Place | null)[],
): Promise<(Drawn | null)[]> {
  const context = await on.newContext();
  const page = await context.newPage();
  const drawn = await page.evaluate<(Drawn | null)[]>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${picture.toString('base64')}';
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const linear = (part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return ${JSON.stringify(places)}.map((place) => {
      if (place === null) return null;
      const { x, y, width, height } = place;
      const { data } = canvas.getImageData(x, y, width, height);
      let [darkest, lightest, dark] = [1, 0, 0];
      for (let at = 0; at < data.length; at += 4) {
        const light = 0.2126 * linear(data[at]) + 0.7152 * linear(data[at + 1]) + 0.0722 * linear(data[at + 2]);
        darkest = Math.min(darkest, light);
        lightest = Math.max(lightest, light);
        if (light < 0.4) dark += 1;
      }
      const middle = canvas.getImageData(x + width / 2, y + height / 2, 1, 1).data;
      return {
        contrast: (lightest + 0.05) / (darkest + 0.05),
        dark: dark / (data.length / 4),
        middle: [...middle].slice(0, 3),
      };
    });
  })()`);
  await context.close();
  return drawn;
}

import sharp from 'sharp';

/** A picture of one colour. */
export const aPng = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

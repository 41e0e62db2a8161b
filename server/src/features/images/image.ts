import type { Settings } from '#platform/config/settings.ts';

/** An image of a workspace, without its bytes. */
export interface Image {
  id: string;
  /** 128 random bits in base64url: the public address. */
  address: string;
  filename: string | null;
  frames: number;
  contentType: string;
  width: number;
  height: number;
  bytes: number;
  /** Null: there is none that is larger than that of mail. */
  largeWidth: number | null;
  largeHeight: number | null;
  createdAt: Date;
}

export type Variant = 'mail' | 'large';

const addressOf = (
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { address }: Pick<Image, 'address'>,
  variant: Variant,
): string => `${publicUrl}/images/${address}${variant === 'large' ? '/large' : ''}`;

/** Whether it is the address of an image that this server keeps, or could be one. */
export const isImageAddress = ({ publicUrl }: Pick<Settings, 'publicUrl'>, text: string): boolean =>
  text.startsWith(`${publicUrl}/images/`) && /^[\w-]{22}(?:\/large)?$/.test(text.slice(`${publicUrl}/images/`.length));

export const imageView = (image: Image, settings: Pick<Settings, 'publicUrl'>) => ({
  id: image.id,
  url: addressOf(settings, image, 'mail'),
  filename: image.filename,
  content_type: image.contentType,
  width: image.width,
  height: image.height,
  size: image.bytes,
  frames: image.frames,
  large:
    image.largeWidth === null || image.largeHeight === null
      ? null
      : { url: addressOf(settings, image, 'large'), width: image.largeWidth, height: image.largeHeight },
  created_at: image.createdAt.toISOString(),
});

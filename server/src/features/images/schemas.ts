import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { SHOWN_LINE } from '#platform/records/text-patterns.ts';
import { nullable } from '#platform/records/wire-types.ts';

export const ImagesQuery = Type.Object(pageQuery);
export const ImageParams = Type.Object({ id: Type.String({ format: 'uuid' }) });
export const UploadQuery = Type.Object({
  filename: Type.Optional(
    Type.String({
      maxLength: 200,
      ...SHOWN_LINE,
      description: 'For people who look for the image in a list. It is not part of the address.',
      examples: ['logo.png'],
    }),
  ),
});
export const CopyBody = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: 'The address of a PNG, JPEG, GIF or WebP of at most 10 MB.',
    examples: ['https://www.example.com/pictures/harbour.jpg'],
  }),
});
export const DeleteQuery = Type.Object({
  purge: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'true: the image is removed at once, and mail that shows it shows a gap.',
      examples: ['true'],
    }),
  ),
});

const Pixels = Type.Integer({ minimum: 1 });
const Instant = Type.String({ format: 'date-time', examples: ['2026-11-23T10:00:00.000Z'] });

export const Image = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    url: Type.String({
      description: 'The public address, for mail: at most 1,200 px wide (animations 600). It never changes.',
      examples: ['https://mail.example.com/images/4fJ0cQ2nT1a8sX7yVb3kLw'],
    }),
    filename: nullable(Type.String()),
    content_type: Type.Enum(['image/png', 'image/jpeg', 'image/gif']),
    width: Pixels,
    height: Pixels,
    size: Type.Integer({ description: 'Bytes.' }),
    frames: Type.Integer({ description: 'Of an animation; 1: it stands still.', examples: [1] }),
    large: nullable(
      Type.Object(
        { url: Type.String(), width: Pixels, height: Pixels },
        {
          title: 'LargeImage',
          additionalProperties: false,
          description: 'Up to 2,400 px wide, for pages; null when the image is not larger than that of `url`.',
        },
      ),
    ),
    created_at: Instant,
  },
  { title: 'Image', additionalProperties: false },
);

export const DeletedImage = Type.Object(
  {
    success: Type.Literal(true),
    id: Type.String({ format: 'uuid' }),
    served_until: nullable({
      ...Instant,
      description: 'Until then its address answers, so that mail that was sent keeps it; null: it is gone.',
    }),
  },
  { title: 'DeletedImage', additionalProperties: false },
);

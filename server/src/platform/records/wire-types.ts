import { type TSchema, Type } from 'typebox';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A point in time: a Date here, text on the wire. */
export const instant = (description?: string) =>
  Type.Unsafe<Date>(
    Type.String(
      description === undefined
        ? { format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] }
        : { format: 'date-time', description },
    ),
  );
export const Instant = instant();

export const Count = Type.Integer({ minimum: 0 });

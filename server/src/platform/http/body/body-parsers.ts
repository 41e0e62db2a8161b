import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FIELDS_MAX, namesItsFields } from '../fields/read-fields.ts';
import { HttpError } from '../http-error.ts';
import { type BodyDefinition, FORM_TYPE, mediaTypesOf, MULTIPART_TYPE, schemaOfBody } from './body-definition.ts';
import { parseForm } from './form-body.ts';
import { parseMultipart } from './multipart-body.ts';
import { parseStrictJson } from './strict-json.ts';

/** The readers of bodies that are held in memory. A route gets only the media types that it takes. */
export function readWholeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  readJsonBodies(app);
  readFormBodies(app);
  readBytes(app);
}

function readJsonBodies(app: FastifyInstance): void {
  app.addContentTypeParser(/^application\/json/, { parseAs: 'buffer' }, (request, body, done) => {
    const type = (request.headers['content-type'] ?? '').toLowerCase();
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/.exec(type)?.[1] ?? 'utf-8';
    const definition = bodyOf(request);
    if (bytesTaken(definition).includes('application/json')) {
      done(null, body);
      return;
    }
    const isPlain = /^application\/json\s*(;|$)/.test(type) && (charset === 'utf-8' || charset === 'utf8');
    if (!isPlain || !mediaTypesOf(definition).includes('application/json')) {
      done(wrongType(definition));
      return;
    }
    try {
      done(
        null,
        body.length === 0 ? undefined : parseStrictJson(asBytes(body), { fieldsMax: fieldsMaxOf(definition) }),
      );
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** A route takes forms only when it says so, because a page of another site can make a browser send a form. */
function readFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const definition = bodyOf(request);
    const [, ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
    const takesForm = definition !== undefined && 'form' in definition;
    if (!takesForm || !parameters.every((one) => /^\s*charset\s*=\s*"?utf-?8"?\s*$/.test(one))) {
      throw wrongType(definition);
    }
    return parseForm(body);
  });
}

/** Every other type: multipart forms, and the bytes that a route takes. */
function readBytes(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const definition = bodyOf(request);
    const header = request.headers['content-type'] ?? '';
    const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (type === MULTIPART_TYPE && mediaTypesOf(definition).includes(MULTIPART_TYPE)) {
      return parseMultipart(header, body);
    }
    const taken = bytesTaken(definition);
    // Bytes without a type may be of the right one; the route looks at them anyway.
    if (!taken.includes(type) && (type !== '' || taken.length === 0)) throw wrongType(definition);
    return body;
  });
}

/** For routes that read a stream by themselves: only the media type is judged here. */
export function passBodiesOn(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, _payload, done) => {
    const definition = bodyOf(request);
    const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
    const isGood = definition !== undefined && 'stream' in definition && definition.stream.includes(type.trim());
    const isUtf8 = parameters.every((one) => !/^\s*charset\s*=/.test(one) || /=\s*"?utf-?8"?\s*$/.test(one));
    done(isGood && isUtf8 ? null : wrongType(definition));
  });
}

const asBytes = (body: string | Buffer): Buffer => (Buffer.isBuffer(body) ? body : Buffer.from(body));

/** Undefined for a body whose names are data. A route without a body names none. */
function fieldsMaxOf(definition: BodyDefinition | undefined): number | undefined {
  const schema = schemaOfBody(definition);
  return definition === undefined || (schema !== undefined && namesItsFields(schema)) ? FIELDS_MAX : undefined;
}

const bodyOf = (request: FastifyRequest): BodyDefinition | undefined => request.routeOptions.config.served?.route.body;

const bytesTaken = (definition: BodyDefinition | undefined): readonly string[] =>
  definition !== undefined && 'bytes' in definition ? definition.bytes : [];

function wrongType(definition: BodyDefinition | undefined): HttpError {
  const types = mediaTypesOf(definition);
  const charset = types.every((type) => type.startsWith('image/')) ? '' : ' in UTF-8';
  return new HttpError(415, `The content type must be ${types.join(' or ')}${charset}.`);
}

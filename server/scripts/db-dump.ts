// `npm run db:dump`: writes server/schema.sql from a database that has just been migrated.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '../test/harness/database.ts';
import { listSchema } from './schema-listing.ts';

const database = await createTestDatabase();
try {
  writeFileSync(join(import.meta.dirname, '../schema.sql'), await listSchema(database.db));
  console.log('server/schema.sql is written.');
} finally {
  await database.close();
}

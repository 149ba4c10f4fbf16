import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANNELS } from '#channels/index.ts';
import { configJsonSchema } from '#src/platform/config/config-file.ts';

// Writes the JSON Schema of the configuration file; `npm test` fails when it is out of date.
const path = join(import.meta.dirname, '..', 'finclaw.config.schema.json');
writeFileSync(path, configJsonSchema(CHANNELS));
console.log(`Wrote ${path}`);

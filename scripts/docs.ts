import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './docs/commands-page.ts';
import { configurationPage } from './docs/configuration-page.ts';

// Writes the reference pages from the definitions in the code; `npm test` fails when one is out of date.
const pages = { 'configuration.md': configurationPage(), 'commands.md': commandsPage() };

for (const [name, page] of Object.entries(pages)) {
  const path = join(import.meta.dirname, '..', 'docs', name);
  writeFileSync(path, `${page}\n`);
  console.log(`Wrote ${path}`);
}

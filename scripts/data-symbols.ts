import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSymbolIndex, SYMBOL_FILES } from '#src/markets/symbols/build/build-index.ts';
import { SymbolDataError } from '#src/markets/symbols/build/csv.ts';
import { INDEX_FILE } from '#src/markets/symbols/symbol-index.ts';

// Checks the CSV files of symbols and writes the index; `npm test` fails when it is out of date.
const folder = join(import.meta.dirname, '..', 'src', 'markets', 'data');
const read = (file: keyof typeof SYMBOL_FILES): string =>
  readFileSync(join(folder, SYMBOL_FILES[file]), 'utf8');

try {
  const text = buildSymbolIndex({
    krx: read('krx'),
    us: read('us'),
    funds: read('funds'),
    foreign: read('foreign'),
    others: read('others'),
    aliases: read('aliases'),
    bestKnown: read('bestKnown'),
  });
  writeFileSync(join(folder, INDEX_FILE), text);
  console.log(`Wrote ${INDEX_FILE}: ${(text.length / 1_000).toFixed(0)} thousand characters`);
} catch (error) {
  if (!(error instanceof SymbolDataError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

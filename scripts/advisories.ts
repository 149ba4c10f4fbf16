import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '#src/kernel/errors.ts';
import { type Advisory, findAdvised, readAdvisories } from './advisories/find-advised.ts';

// Compares the locked packages with advisories in the OSV format, which an operator has fetched: one JSON record, a list of
// them, or one on each line. Ends with 1 where a package is concerned. `npm run advisories -- FILE…`
const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('Name the files with advisories in the OSV format: npm run advisories -- FILE…');
  process.exit(2);
}

const advisories: Advisory[] = [];
for (const file of files) {
  try {
    advisories.push(...readAdvisories(readFileSync(file, 'utf8')));
  } catch (error) {
    console.error(`${file} cannot be read: ${errorMessage(error)}`);
    process.exit(2);
  }
}

const lockFile = join(import.meta.dirname, '..', 'package-lock.json');
const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
};
const found = findAdvised(packages, advisories);
for (const { name, version, isDev, advisory } of found)
  console.log(
    `${name} ${version}${isDev ? ' (development alone)' : ''}: ${advisory.id} ${advisory.summary ?? ''}`.trim(),
  );
console.log(
  `${Object.keys(packages).length - 1} locked packages, ${advisories.length} advisories, ${found.length} matches`,
);
if (found.length > 0) process.exitCode = 1;

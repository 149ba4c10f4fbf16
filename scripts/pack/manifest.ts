export interface Manifest {
  readonly version: string;
  readonly config: { readonly start: string };
  readonly imports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

interface LockedPackage {
  readonly version?: string;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly [field: string]: unknown;
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
  readonly [field: string]: unknown;
}

/** What a package has in common with the repository. */
const KEPT = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'dependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'optionalDependencies',
  'engines',
] as const;

/** Node's way to a package: from the folder of the one that needs it upwards. */
const placeOf = (lock: Lock, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[place]) return place;
    if (folder === '') return undefined;
  }
};

const neededBy = (found: LockedPackage): readonly string[] => [
  ...Object.keys({ ...found.dependencies, ...found.optionalDependencies }),
  ...Object.keys(found.peerDependencies ?? {}).filter(
    (name) => found.peerDependenciesMeta?.[name]?.optional !== true,
  ),
];

/**
 * The packages with all that they need, in the versions of the lock file. If the package named only its direct
 * dependencies, npm would give everybody the newest versions of the others. An npm-shrinkwrap.json would fix them too,
 * but npm then installs what is meant for other platforms: four Nodes, 1.3 GB.
 */
const testedVersions = (lock: Lock, names: readonly string[]): Readonly<Record<string, string>> => {
  const found = new Set<string>();
  const follow = (from: string, needed: readonly string[]): void => {
    for (const name of needed) {
      const place = placeOf(lock, from, name);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      follow(place, neededBy(lock.packages[place] ?? {}));
    }
  };
  follow('', names);
  const versions = [...found].flatMap((place) => {
    const { version, optional } = lock.packages[place] ?? {};
    const isBeside = place.lastIndexOf('node_modules/') === 0;
    return isBeside && optional !== true
      ? [[place.slice('node_modules/'.length), String(version)] as const]
      : [];
  });
  return Object.fromEntries(versions.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** The `package.json` of the package: only what runs, without scripts, and without packages that it brings itself. */
export const packedManifest = (manifest: Manifest, lock: Lock, vendored: ReadonlySet<string>): Manifest => ({
  ...(Object.fromEntries(KEPT.map((field) => [field, manifest[field]])) as unknown as Manifest),
  bin: { finclaw: 'bin/finclaw.js' },
  os: ['linux', 'darwin'],
  imports: Object.fromEntries(Object.entries(manifest.imports).filter(([name]) => name !== '#test/*')),
  config: { ...manifest.config, start: manifest.config.start.replaceAll(/\.ts(?= |$)/g, '.js') },
  dependencies: testedVersions(
    lock,
    Object.keys(manifest.dependencies).filter((name) => !vendored.has(name)),
  ),
});

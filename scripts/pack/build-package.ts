import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readBuild } from '#src/platform/build.ts';
import SCRIPTS from '../../bin/scripts.json' with { type: 'json' };
import { type Lock, type Manifest, packedManifest } from './manifest.ts';
import { packagedText } from './packaged-text.ts';
import { stripSource } from './strip-source.ts';

const SOURCES = ['src', 'channels', 'commands'] as const;
const OTHER_FILES = [
  'bin',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
  'finclaw.config.schema.json',
];

/** A package of which one file is used: the file is put into ours, because the rest of it takes 60 MB. */
const VENDORED = [
  {
    specifier: 'echarts/dist/echarts.esm.min',
    file: 'node_modules/echarts/dist/echarts.esm.min.mjs',
    as: 'vendor/echarts.mjs',
    packageName: 'echarts',
    /** Of echarts, and of what its file has in it. */
    licences: [
      'node_modules/echarts/NOTICE',
      'node_modules/echarts/LICENSE',
      'node_modules/echarts/licenses/LICENSE-d3',
      'node_modules/zrender/LICENSE',
      'node_modules/echarts/node_modules/tslib/LICENSE.txt',
    ],
  },
] as const;

const PACKAGE_NAME = /^(?:@[^/]+\/)?[^/]+/;

const thirdParty = (root: string): string =>
  VENDORED.flatMap(({ as, packageName, licences }) => [
    `# ${as}: from the package ${packageName}`,
    ...licences.map((path) => `## ${path}\n\n${readFileSync(join(root, path), 'utf8').trim()}`),
  ]).join('\n\n');

/** Writes the files of the package that `npx finclaw` installs to an empty folder. Throws on an import that leads nowhere. */
export const buildPackage = (root: string, folder: string): Manifest => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const { commit, date } = readBuild(root);
  const manifest: Manifest = {
    ...packedManifest(
      JSON.parse(read('package.json')) as Manifest,
      JSON.parse(read('package-lock.json')) as Lock,
      new Set(VENDORED.map(({ packageName }) => packageName)),
    ),
    build: { commit, date: date ?? new Date().toISOString() },
  };
  for (const { file, as } of VENDORED) write(as, read(file));
  write('THIRD_PARTY_LICENSES.md', `${thirdParty(root)}\n`);
  write('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const path of OTHER_FILES) cpSync(join(root, path), join(folder, path), { recursive: true });
  write('.env.example', packagedText(read('.env.example')));
  // Messages and .env name them.
  for (const path of globSync('docs/*.md', { cwd: root })) write(path, read(path));

  const leadsTo: { readonly from: string; readonly specifier: string }[] = [];
  const strip = (path: string): readonly string[] => {
    const as = path.replace(/\.ts$/, '.js');
    const { code, imports } = stripSource(path, read(path), (specifier) => {
      const found = VENDORED.find((each) => each.specifier === specifier);
      return found && posix.relative(posix.dirname(path), found.as);
    });
    write(as, code);
    leadsTo.push(...imports.map((specifier) => ({ from: as, specifier })));
    return imports;
  };
  for (const path of globSync(`{${SOURCES.join(',')}}/**/*.*`, { cwd: root }))
    if (!path.endsWith('.ts')) cpSync(join(root, path), join(folder, path), { recursive: true });
    else if (!path.endsWith('.d.ts')) strip(path);
  const stripScript = (path: string): void => {
    if (!existsSync(join(root, path)) || existsSync(join(folder, path.replace(/\.ts$/, '.js')))) return;
    for (const specifier of strip(path))
      if (/^\.{1,2}\/.*\.js$/.test(specifier))
        stripScript(posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts'));
  };
  // Those that are not written yet are left out.
  for (const script of Object.keys(SCRIPTS)) stripScript(`scripts/${script}.ts`);

  const packages = new Set(
    [manifest.dependencies, manifest['peerDependencies'] ?? {}].flatMap((each) => Object.keys(each)),
  );
  const isThere = (from: string, specifier: string): boolean => {
    const path = specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(from), specifier);
    return /^[.#]/.test(specifier)
      ? existsSync(join(folder, path))
      : specifier.startsWith('node:') || packages.has(PACKAGE_NAME.exec(specifier)?.[0] ?? '');
  };
  const lost = leadsTo.filter(({ from, specifier }) => !isThere(from, specifier));
  if (lost.length > 0)
    throw new Error(
      lost
        .map(({ from, specifier }) => `${from} imports ${specifier}, which is not in the package`)
        .join('\n'),
    );
  return manifest;
};

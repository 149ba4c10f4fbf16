import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown, type Plugin } from 'rolldown';
import { BUNDLED, BUNDLES } from './bundled-programs.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Data files and workers stay where they are, so each module must find them from where it was. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: 'import.meta.' },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.dirname', () => JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', () => JSON.stringify(pathToFileURL(id).href)),
  },
};

const bundle = async (): Promise<ReadonlyMap<string, string>> => {
  const build = await rolldown({
    input: BUNDLED.map((name) => join(ROOT, `test/fakes/${name}.ts`)),
    cwd: ROOT,
    platform: 'node',
    // With native parts, or loaded by hardly any process.
    external: [/^@napi-rs\//, /^echarts\b/, /^unpdf\b/, /^@aws-sdk\//],
    plugins: [keepPlaces],
    logLevel: 'silent',
  });
  try {
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      keepNames: true,
    });
    return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])));
  } finally {
    await build.close();
  }
};

const contentOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * A process that loads a thousand modules one by one needs a second of CPU for it, and rounds that kill processes start
 * many. A bundle takes a third of that. What is already there is left alone, because another run may be using it.
 */
export const setup = async (): Promise<void> => {
  const files = await bundle();
  mkdirSync(BUNDLES, { recursive: true });
  for (const name of readdirSync(BUNDLES)) if (!files.has(name)) rmSync(join(BUNDLES, name));
  for (const [name, code] of files) {
    const path = join(BUNDLES, name);
    if (contentOf(path) !== code) writeFileSync(path, code);
  }
};

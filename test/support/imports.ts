import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly from: string;
  /** A path from the project's root for our own files, the package's name for others. */
  readonly to: string;
  readonly isOurs: boolean;
}

const SPECIFIER =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Every static, type-only and dynamic import of a file. */
export const importsOf = (file: SourceFile): readonly Import[] =>
  [...file.text.matchAll(SPECIFIER)].map(([, fixed, dynamic]) => {
    const specifier = fixed ?? dynamic ?? '';
    if (specifier.startsWith('.')) {
      return {
        from: file.path,
        to: posix.normalize(posix.join(dirname(file.path), specifier)),
        isOurs: true,
      };
    }
    return specifier.startsWith('#')
      ? { from: file.path, to: specifier.slice(1), isOurs: true }
      : { from: file.path, to: packageName(specifier), isOurs: false };
  });

export const readSources = (root: string, folders: readonly string[]): readonly SourceFile[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return { path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') };
      }),
  );

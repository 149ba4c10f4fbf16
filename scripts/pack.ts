/**
 * Packs what `npx finclaw` and `npm install --global finclaw` install: the program as JavaScript, because Node strips no
 * types below node_modules. `npm run pack [folder]` writes finclaw-<version>.tgz into the folder, or into this one.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildPackage } from './pack/build-package.ts';

const ROOT = join(import.meta.dirname, '..');

const target = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'finclaw-pack-'));
try {
  buildPackage(ROOT, folder);
  mkdirSync(target, { recursive: true });
  const tarball = execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', target],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  console.log(join(target, tarball.trim()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Checks what FinClaw is deployed with: runs the steps of the Dockerfile in folders and starts the result as its user on a
 * read-only tree, because no image can be built without a registry; reads the compose files; asks systemd about the unit.
 * `npm run deploy:check`
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHANNELS } from '#channels/index.ts';
import { environmentSchema } from '#src/platform/config/environment.ts';
import { buildStages } from './deploy/build-stages.ts';
import { composeProblems } from './deploy/compose.ts';
import { dockerfileProblems, parseDockerfile } from './deploy/dockerfile.ts';
import { libraryProblems, startProblems } from './deploy/start-image.ts';
import { checkUnit } from './deploy/unit.ts';
import { describeSize, installedSize } from './pack/installed-size.ts';

const ROOT = join(import.meta.dirname, '..');
/** Below what a production install took before its size was looked at. */
const MAX_MB = 482;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'finclaw-deploy-'));
const problems: string[] = [];
try {
  // The user of the image must get there.
  chmodSync(folder, 0o755);
  const variables = new Set(Object.keys(environmentSchema(CHANNELS).shape));
  for (const path of globSync('deploy/compose.*.yml', { cwd: ROOT }))
    problems.push(...composeProblems(path, read(path), variables));
  const unit = checkUnit(read('deploy/finclaw.service'), ROOT, folder);
  problems.push(...unit.problems);
  if (!unit.isAnalysed) console.warn('SKIPPED: there is no systemd-analyze here, so the unit was only read.');

  problems.push(...dockerfileProblems(read('Dockerfile')));
  const built = buildStages(parseDockerfile(read('Dockerfile')), {
    context: ROOT,
    folder,
    afterRun: (command, root, workdir) => {
      if (!command.startsWith('npm install')) return;
      const size = installedSize(join(root, workdir));
      console.log(`npm install --omit=dev: ${describeSize(size)}`);
      if (size.totalMb >= MAX_MB) problems.push(`A production install takes ${MAX_MB} MB or more`);
    },
  });
  console.log(`The program in the image: ${describeSize(installedSize(join(built.root, built.workdir)))}`);
  problems.push(...libraryProblems(built));
  problems.push(
    ...(await startProblems(built, {
      lines: ['/price AAPL', '/chart AAPL 6mo'],
      expected: ['Apple (AAPL)', 'AAPL-6mo.png'],
      commands: [['node', 'bin/finclaw.js', 'backup']],
    })),
  );
} finally {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { treeOf } from '../pack/tree.ts';
import { asUser, type Built, inRoot, makeReadOnly } from './build-stages.ts';

const START_MS = 30_000;
const ASK_EVERY_MS = 200;
/** The grace period of the compose files and of the unit. */
const STOP_MS = 30_000;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

/** Everything outside the volumes, with its size and time. */
const snapshot = ({ root, volumes }: Built): ReadonlyMap<string, string> =>
  new Map(
    treeOf(root)
      .filter((path) => !volumes.some((volume) => `/${path}`.startsWith(volume)))
      .map((path) => {
        const { size, mtimeMs } = lstatSync(join(root, path));
        return [path, `${size} ${mtimeMs}`];
      }),
  );

/**
 * Starts what was built as its user on a read-only tree, sends the lines, waits for the health check and for the expected
 * texts, runs the commands beside it, stops it, and says what went wrong.
 */
export const startProblems = async (
  built: Built,
  {
    lines,
    expected,
    commands = [],
    startMs = START_MS,
  }: {
    readonly lines: readonly string[];
    readonly expected: readonly string[];
    /** What people run beside it, as by `docker exec`. */
    readonly commands?: readonly (readonly string[])[];
    readonly startMs?: number;
  },
): Promise<readonly string[]> => {
  const problems: string[] = [];
  const env = { ...built.env, FINCLAW_HTTP_PORT: String(await freePort()), FINCLAW_MARKET: 'sample' };
  const cwd = join(built.root, built.workdir);
  const words = (command: readonly string[]): readonly [string, readonly string[]] => {
    const [program = '', ...parameters] = asUser(
      built.user,
      command.map((word) => inRoot(built.root, word)),
    );
    return [program, parameters];
  };
  const isHealthy = (): boolean => {
    const [program, parameters] = words(built.healthCheck);
    return spawnSync(program, parameters, { cwd, env, stdio: 'ignore' }).status === 0;
  };

  makeReadOnly(built);
  const before = snapshot(built);
  if (isHealthy()) problems.push('The health check passes although nothing runs');
  const [program, parameters] = words(built.command);
  const child = spawn(program, parameters, { cwd, env, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  child.stdin.on('error', () => undefined).write(`${lines.join('\n')}\n`);
  try {
    const isComplete = (): boolean => expected.every((text) => said.includes(text));
    const until = performance.now() + startMs;
    let healthy = false;
    while (child.exitCode === null && performance.now() < until && !(healthy && isComplete())) {
      healthy ||= isHealthy();
      await sleep(ASK_EVERY_MS);
    }
    if (child.exitCode !== null) problems.push(`It ended with ${child.exitCode} by itself`);
    else if (!healthy) problems.push('The health check did not pass');
    const missing = expected.filter((text) => !said.includes(text));
    if (missing.length > 0) problems.push(`It did not answer with: ${missing.join(', ')}`);
    for (const command of child.exitCode === null && healthy ? commands : []) {
      const [beside, rest] = words(command);
      const { status, stderr } = spawnSync(beside, rest, { cwd, env, encoding: 'utf8' });
      if (status !== 0) problems.push(`${command.join(' ')} ended with ${status}: ${stderr.trim()}`);
    }
    const commandLine = `/proc/${child.pid}/cmdline`;
    if (existsSync(commandLine) && !readFileSync(commandLine, 'utf8').includes('--max-semi-space-size'))
      problems.push('The process that gets the signals does not have the flags of `npm start`');
    if (child.exitCode === null) {
      child.kill(built.stopSignal as NodeJS.Signals);
      const code = await Promise.race([ended, sleep(STOP_MS, 'late' as const, { ref: false })]);
      if (code !== 0)
        problems.push(`After ${built.stopSignal} it ended ${code === 'late' ? 'too late' : `with ${code}`}`);
    }
  } finally {
    child.kill('SIGKILL');
  }
  const after = snapshot(built);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  if (changed.length > 0) problems.push(`It wrote outside the volumes: ${changed.slice(0, 5).join(', ')}`);
  if (problems.length > 0 && said !== '') problems.push(`It said:\n${said.slice(-2_000)}`);
  return problems.map((problem) => `Image: ${problem}`);
};

/** Libraries of Debian's slim images, by how their names begin. */
const IN_SLIM =
  /^(?:linux-vdso|ld-linux|libc\.|libm\.|libdl\.|libpthread\.|librt\.|libgcc_s\.|libstdc\+\+\.)/;

const isThere = (library: string, debianPackages: readonly string[]): boolean =>
  // libatomic.so.1 is in the package libatomic1.
  IN_SLIM.test(library) || debianPackages.includes(library.replace('.so.', '').toLowerCase());

/** Programs of the image that need a library which is neither in the base image nor installed. */
export const libraryProblems = ({
  root,
  workdir,
  debianPackages,
}: Pick<Built, 'root' | 'workdir' | 'debianPackages'>): readonly string[] => {
  const modules = join(root, workdir, 'node_modules');
  // Those for other C libraries and platforms come with a package, but are not loaded here.
  const binaries = globSync(['node-*/bin/node', '@napi-rs/*-gnu/*.node'], { cwd: modules });
  if (binaries.length < 2) return ['Image: Node and the canvas are not there'];
  return binaries.flatMap((binary) => {
    const { stdout, status } = spawnSync('ldd', [join(modules, binary)], { encoding: 'utf8' });
    if (status !== 0) return [`Image: ldd cannot read ${binary}`];
    const needed = [...stdout.matchAll(/^\s*(?:\S*\/)?([\w+.-]+\.so[\w.]*)/gm)].map(([, name = '']) => name);
    return needed
      .filter((name) => !isThere(name, debianPackages))
      .map((name) => `Image: ${binary} needs ${name}, which no step installs`);
  });
};

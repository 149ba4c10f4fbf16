import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { pathWithoutProject } from '../pack/other-node.ts';
import { treeOf } from '../pack/tree.ts';
import { type Instruction, pairsOf, type Stage } from './dockerfile.ts';

export interface Built {
  /** The folder that stands for `/`. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly volumes: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly stopSignal: string;
  /** Debian packages that the stage installs. They cannot be installed here. */
  readonly debianPackages: readonly string[];
}

interface Environment {
  readonly context: string;
  readonly folder: string;
  readonly afterRun?: (command: string, root: string, workdir: string) => void;
}

/** The image has no name and no home for its user. The user with the same number may have both on this machine. */
const namelessHere = (owner: string): string =>
  owner.replaceAll(/[1-9]\d*/g, (id) => String(Number(id) + 60_000));

/** Folders that are the machine's own: a build here shares them. */
const OF_THE_MACHINE = /^\/(?:tmp|usr|bin|lib|etc|dev|proc|var)(?:\/|$)/;
const APT =
  /^apt-get update && apt-get install --yes --no-install-recommends ([\w .+-]+) && rm -rf \/var\/lib\/apt\/lists\/\*$/;

const isRoot = process.getuid?.() === 0;

/** The command as that user, if this process may become another one. */
export const asUser = (user: string | undefined, command: readonly string[]): readonly string[] => {
  if (user === undefined || !isRoot) return command;
  const [uid = '', gid = ''] = user.split(':');
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', ...command];
};

/** In a text of the image, each path of the image becomes one below `root`. */
export const inRoot = (root: string, text: string): string =>
  text.replaceAll(/(?<![\w.:/-])\/[\w.-]+(?:\/[\w.-]+)*/g, (path) =>
    OF_THE_MACHINE.test(path) ? path : join(root, path),
  );

/** Unlike in a shell, `*` matches hidden files too. */
const WILDCARDS: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '[^/]' };

const patternOf = (rule: string): RegExp => {
  const parts = rule.replace(/^!/, '').split(/(\*\*|\*|\?)/);
  return new RegExp(`^${parts.map((part) => WILDCARDS[part] ?? RegExp.escape(part)).join('')}$`);
};

/** Which files of the context reach the build; the last rule that matches a file, or a folder above it, decides. */
const contextFiles = (context: string): ReadonlySet<string> => {
  const rules = readFileSync(join(context, '.dockerignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isIn: line.startsWith('!'), pattern: patternOf(line) }));
  const isIn = (path: string): boolean => {
    const parts = path.split('/');
    const upTo = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return rules.findLast(({ pattern }) => upTo.some((folder) => pattern.test(folder)))?.isIn ?? true;
  };
  // These are never sent, and take long to read.
  const files = readdirSync(context)
    .filter((name) => name !== 'node_modules' && name !== '.git')
    .flatMap((name) => {
      const isFolder = lstatSync(join(context, name)).isDirectory();
      return isFolder ? treeOf(join(context, name)).map((path) => `${name}/${path}`) : [name];
    });
  return new Set(files.filter((path) => lstatSync(join(context, path)).isFile() && isIn(path)));
};

const copyFromContext = (
  files: ReadonlySet<string>,
  context: string,
  source: string,
  target: string,
): void => {
  const name = posix.normalize(source).replace(/\/$/, '');
  const below = [...files].filter((path) => name === '.' || path === name || path.startsWith(`${name}/`));
  if (below.length === 0)
    throw new Error(`COPY ${source}: there is no such file, or .dockerignore leaves it out`);
  for (const path of below) {
    const inside = path === name ? basename(name) : name === '.' ? path : path.slice(name.length + 1);
    cpSync(join(context, path), join(target, inside));
  }
};

const chownAll = (path: string, owner: string): void => {
  const [uid = 0, gid = 0] = owner.split(':').map(Number);
  for (const each of ['', ...treeOf(path)]) chownSync(join(path, each), uid, gid);
};

/** Runs the steps of a Dockerfile in folders instead of images: all but those that install Debian packages. */
export const buildStages = (stages: readonly Stage[], { context, folder, afterRun }: Environment): Built => {
  const built = new Map<string | undefined, Built>();
  const files = contextFiles(context);
  let last: Built | undefined;
  for (const [index, stage] of stages.entries()) {
    const root = join(folder, `stage-${index}`);
    mkdirSync(root, { mode: 0o755 });
    let state: Built = {
      root,
      workdir: '/',
      env: { PATH: pathWithoutProject(), HOME: '/tmp' },
      user: undefined,
      volumes: [],
      command: [],
      healthCheck: [],
      stopSignal: 'SIGTERM',
      debianPackages: [],
    };
    const copy = ({ flags, text }: Instruction): void => {
      const paths = text.split(/\s+/);
      const target = join(root, posix.resolve(state.workdir, paths.at(-1) ?? ''));
      mkdirSync(target, { recursive: true });
      for (const source of paths.slice(0, -1)) {
        const from = flags['from'];
        if (from === undefined) copyFromContext(files, context, source, target);
        else
          cpSync(join(built.get(from)?.root ?? '', source), target, {
            recursive: true,
            verbatimSymlinks: true,
          });
      }
      if (flags['chown'] !== undefined && isRoot) chownAll(target, namelessHere(flags['chown']));
    };
    const run = ({ text }: Instruction): void => {
      const apt = APT.exec(text)?.[1];
      if (apt !== undefined) {
        state = { ...state, debianPackages: apt.split(' ') };
        return;
      }
      const [program = '', ...parameters] = asUser(state.user, ['sh', '-ec', inRoot(root, text)]);
      execFileSync(program, parameters, {
        cwd: join(root, state.workdir),
        env: state.env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      afterRun?.(text, root, state.workdir);
    };
    const setters: Readonly<Record<string, (instruction: Instruction) => void>> = {
      ARG: ({ text }) => {
        const [name = '', value = ''] = text.split(/=(.*)/, 2);
        state = { ...state, env: { [name]: value, ...state.env } };
      },
      COPY: copy,
      RUN: run,
      LABEL: () => undefined,
      WORKDIR: ({ text }) => {
        state = { ...state, workdir: text };
        mkdirSync(join(root, text), { recursive: true });
      },
      ENV: ({ text }) => {
        const set = Object.entries(pairsOf(text)).map(([name, value]) => [
          name,
          inRoot(root, value).replaceAll(/\$(\w+)/g, (_, other: string) => state.env[other] ?? ''),
        ]);
        state = { ...state, env: { ...state.env, ...Object.fromEntries(set) } };
      },
      USER: ({ text }) => (state = { ...state, user: namelessHere(text) }),
      VOLUME: ({ text }) => (state = { ...state, volumes: [...state.volumes, text] }),
      STOPSIGNAL: ({ text }) => (state = { ...state, stopSignal: text }),
      HEALTHCHECK: ({ words }) => (state = { ...state, healthCheck: words ?? [] }),
      CMD: ({ words }) => (state = { ...state, command: words ?? [] }),
    };
    for (const instruction of stage.instructions) {
      const set = setters[instruction.keyword];
      if (!set) throw new Error(`The check does not know ${instruction.keyword}`);
      set(instruction);
    }
    built.set(stage.name, state);
    last = state;
  }
  if (!last) throw new Error('There is no stage');
  return last;
};

/** As `docker run --read-only`: nobody can write but to the volumes. */
export const makeReadOnly = ({ root, volumes }: Built): void => {
  for (const path of ['', ...treeOf(root)]) {
    const isVolume = volumes.some((volume) => `/${path}`.startsWith(volume));
    const found = lstatSync(join(root, path));
    if (!isVolume && !found.isSymbolicLink()) chmodSync(join(root, path), found.mode & 0o555);
  }
};

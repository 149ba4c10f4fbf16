#!/usr/bin/env node
// Starts FinClaw, or one of its scripts, on the Node that it brings. Plain JavaScript for every Node from 20 on.
// Data, .env and configuration are those of the working directory.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants as osConstants, homedir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledNode, linkBundledNode } from './bundled-node.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

const { version, config } = readJson('package.json');
const START = config.start.split(' ');
/**
 * From so many bytes on, the C library of Linux gives freed memory back at once. By itself it soon keeps what is smaller
 * than 32 MB: after the files of 30 people, 540 MB were taken instead of 310.
 */
const MALLOC = config.mmapThreshold && { MALLOC_MMAP_THRESHOLD_: config.mmapThreshold };
/** `.ts` in the repository, `.js` in the package. */
const EXTENSION = extname(START.at(-1));

const SCRIPTS = readJson('bin/scripts.json');
const pathOf = (script) => join(ROOT, 'scripts', `${script}${EXTENSION}`);
const scripts = Object.keys(SCRIPTS).filter((script) => existsSync(pathOf(script)));

const HELP = `FinClaw ${version}: a financial chat bot for Discord, Slack and the terminal

finclaw                  start the bot; without a token, a chat in the terminal
finclaw init             write an .env to fill in, if there is none
${scripts.map((script) => `finclaw ${script.padEnd(16)} ${SCRIPTS[script]}`).join('\n')}
finclaw --version
finclaw --help

It reads .env and finclaw.config.json from the working directory, and keeps its data in ./data.
`;

const fail = (text) => {
  console.error(text);
  process.exit(1);
};

const userCaches = () => {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  try {
    return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
  } catch {
    // A user whom the machine does not know, as in a container, has no home.
    return undefined;
  }
};

/** A package may belong to root: what Node compiles is kept for each user, apart from it. */
const compileCache = () => {
  if (EXTENSION === '.ts') return join(ROOT, 'node_modules', '.cache', 'node');
  const caches = userCaches();
  return caches && join(caches, 'finclaw', 'node');
};

/** A terminal sends its signals to the whole process group, so the program has got them already. */
const isInTerminal = () => process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;

/** The other scripts of a checkout run on the bundled Node too, also where npm ran no script at the installation. */
const findNode = () => {
  if (EXTENSION !== '.ts') return bundledNode();
  try {
    return linkBundledNode();
  } catch {
    // Somebody else's folder, or one that cannot be written.
    return bundledNode();
  }
};

const run = (parameters) => {
  const { path, problem } = findNode();
  if (problem !== undefined) fail(problem);
  const cache = process.env.NODE_COMPILE_CACHE || compileCache();
  const env = { ...MALLOC, ...process.env, ...(cache && { NODE_COMPILE_CACHE: cache }) };
  // Since Node 22.15: no second process, so that signals and the exit code need no help.
  if (process.execve) process.execve(path, [path, ...parameters], env);
  const child = spawn(path, parameters, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isInTerminal()) child.kill(signal);
    });
  child.once('error', (error) => fail(`Node could not be started: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + osConstants.signals[signal]));
};

/** `--import=./src/preload.ts` and `src/main.ts` are relative to the package, not to the working directory. */
const fromRoot = (word) =>
  word.startsWith('--') ? word.replace('=./', `=${pathToFileURL(ROOT).href}/`) : join(ROOT, word);

const init = () => {
  // The pages are beside the program, not in the working directory.
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const text = example.replaceAll(/\bdocs\/(?=[\w-]+\.md\b)/g, () => join(ROOT, 'docs', '/'));
  try {
    writeFileSync('.env', text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (error.code === 'EEXIST') fail('There is an .env already; it was left as it is.');
    fail(`.env could not be written: ${error.message}`);
  }
  console.log('Wrote .env, which only you can read. Fill in tokens and keys, then run: finclaw doctor');
};

const [command, ...rest] = process.argv.slice(2);
if (command === undefined) run(START.map(fromRoot));
else if (scripts.includes(command)) run([pathOf(command), ...rest]);
else if (command === 'init') init();
else if (['--version', '-v'].includes(command)) run([join(ROOT, `src/platform/build${EXTENSION}`)]);
else if (['--help', '-h', 'help'].includes(command)) process.stdout.write(HELP);
else fail(`FinClaw has no command "${command}". Run: finclaw --help`);

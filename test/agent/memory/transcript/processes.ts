import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('./lock-process.ts', import.meta.url));

/** Starts `lock-process.ts`; it is killed when the test has ended. */
export const startProcess = (...args: readonly string[]): ChildProcess => {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** The same under a limit to the size of files, whose writes fail in the middle; its complaint is not shown. */
export const startLimited = (kilobytes: number, ...args: readonly string[]): ChildProcess => {
  const command = `ulimit -f ${kilobytes * 2}; exec "$@"`;
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, SCRIPT, ...args], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Another process that has the lock of this directory; resolves once it has. */
export const startHolder = async (directory: string, what: 'hold' | 'end' = 'hold') => {
  const child = startProcess(what, directory);
  const ended = once(child, 'exit');
  const said = child.stdout ? once(child.stdout, 'data').then(String) : undefined;
  const first = await Promise.race([said, ended.then(() => 'ended')]);
  if (first !== 'held\n') throw new Error(`The other process has no lock: ${first}`);
  return { child, pid: child.pid ?? 0, ended };
};

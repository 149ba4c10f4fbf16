import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { NODE_COMPILE_CACHE } from './compile-cache.ts';

const DOCTOR = join(import.meta.dirname, '../../scripts/doctor.ts');

/** No test asks the real markets. */
const NO_MARKET = { FINCLAW_MARKET: 'sample' };

interface Diagnosis {
  readonly output: string;
  readonly errors: string;
  readonly code: number;
}

/** `npm run doctor` as an operator runs it, without any settings of this machine. */
export const spawnDoctor = async (
  env: NodeJS.ProcessEnv,
  cwd: string,
  args: readonly string[] = [],
): Promise<Diagnosis & { readonly firstMs: number; readonly endMs: number }> => {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [DOCTOR, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, ...NO_MARKET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Before the test gives up, which says nothing of what was written.
    timeout: 28_000,
  });
  let firstMs = Infinity;
  child.stdout.once('data', () => (firstMs = performance.now() - startedMs));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { output, errors, code: code as number, firstMs, endMs: performance.now() - startedMs };
};

let runs = 0;

/**
 * The same program inside this process, where all that it needs is loaded already: a tenth of the time of a process.
 * It reads the environment and the folder of the process, so never two of them at once.
 */
export const runDoctor = async (env: NodeJS.ProcessEnv, cwd: string): Promise<Diagnosis> => {
  const before = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode };
  const output: string[] = [];
  const errors: string[] = [];
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => void output.push(`${line}\n`)),
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => errors.push(String(chunk)) > 0),
  ];
  try {
    process.env = { PATH: process.env['PATH'], ...NO_MARKET, ...env };
    process.chdir(cwd);
    // Each number is another module, so that the script runs again.
    runs += 1;
    await import(`${DOCTOR}?run=${runs}`);
    return { output: output.join(''), errors: errors.join(''), code: Number(process.exitCode) };
  } finally {
    process.env = before.env;
    process.chdir(before.cwd);
    process.exitCode = before.exitCode;
    for (const spy of spies) spy.mockRestore();
  }
};

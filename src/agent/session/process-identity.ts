import { readFileSync } from 'node:fs';

interface RunningProcess {
  /** The boot of the machine and the tick at which the process began: no second process ever has both. */
  readonly start: string;
  /** It has ended, and only its parent has not taken notice yet. */
  readonly isZombie: boolean;
}

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Places behind the name of the program, which stands in brackets and may itself hold blanks and brackets. */
const STATE = 0;
const START_TICK = 19;

/**
 * Only Linux tells in a file when a process began. Elsewhere, and where `/proc` is closed to us, this is
 * undefined: there a number that was given to a new process cannot be told from its first owner.
 */
const lookUp = (pid: number): RunningProcess | undefined => {
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim();
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (boot === undefined || stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { start: `${boot}/${fields[START_TICK]}`, isZombie: /^[ZXx]/.test(fields[STATE] ?? '') };
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of somebody else's that may not be signalled is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** When this process began; undefined where the system does not say. */
export const ownStart: string | undefined = lookUp(process.pid)?.start;

/**
 * Whether the process that wrote down this number and this start is still there. `unknown`: a process of that
 * number is, but whether it is the same one cannot be told. Processes of other machines and of containers with
 * numbers of their own are not seen: what keeps those out is the lock on the whole data directory.
 */
export const stateOfProcess = (pid: number, start: string | undefined): 'alive' | 'dead' | 'unknown' => {
  if (!exists(pid)) return 'dead';
  const found = lookUp(pid);
  if (!found) return 'unknown';
  if (found.isZombie) return 'dead';
  if (start === undefined) return 'unknown';
  return found.start === start ? 'alive' : 'dead';
};

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The program of `platform-bot-process.ts`, which kills itself once its conversation has LAST_LINE lines on disk.
 * It looks in every turn of the event loop. To store a line takes several turns, so no further line gets there.
 */
const { FINCLAW_DATA_DIR = '', LAST_LINE } = process.env;
const sessions = join(FINCLAW_DATA_DIR, 'sessions');
const lastLine = Number(LAST_LINE);

const linesOnDisk = (): number => {
  if (!existsSync(sessions)) return 0;
  const name = readdirSync(sessions).find((each) => each.endsWith('.jsonl'));
  return name === undefined ? 0 : readFileSync(join(sessions, name), 'utf8').split('\n').length - 1;
};

const look = (): void => {
  const lines = linesOnDisk();
  if (lines >= lastLine) process.kill(process.pid, 'SIGKILL');
  if (lines === lastLine - 1) setImmediate(look);
  else setTimeout(look, 1);
};

if (LAST_LINE !== undefined) look();
await import('./platform-bot-process.ts');

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSkillManager } from '#src/agent/skills/skill-manager.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

export const skillText = (name: string, description = `About ${name}`, body = `Do ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

/** Writes `<directory>/<folder>/SKILL.md` and gives its path. */
export const writeSkill = async (
  directory: string,
  folder: string,
  text: string | Buffer,
): Promise<string> => {
  await mkdir(join(directory, folder), { recursive: true });
  const path = join(directory, folder, 'SKILL.md');
  await writeFile(path, text);
  return path;
};

/** A manager of two directories, the second of which wins; stopped when the test has ended. */
export const skillFixture = () => {
  const builtIn = temporaryDir();
  const own = temporaryDir();
  const manual = new ManualClock();
  let timersSet = 0;
  const clock = {
    now: manual.now,
    monotonicMs: manual.monotonicMs,
    advance: manual.advance,
    after: (delayMs: number, callback: () => void): (() => void) => {
      timersSet += 1;
      return manual.after(delayMs, callback);
    },
    pendingTimers: (): number => manual.pendingTimers,
    /** How often one was set, also anew. */
    timersSet: (): number => timersSet,
  };
  const { logger, records } = recordingLogger();
  const { events, payloads } = recordingEvents();
  const createFor = (...directories: readonly string[]) => {
    const manager = createSkillManager({ directories, logger, events, clock });
    onTestFinished(() => manager.stop());
    return manager;
  };
  const warnings = (): readonly unknown[] => records().filter(({ level }) => level === 'warn');
  return { builtIn, own, clock, createFor, manager: createFor(builtIn, own), payloads, records, warnings };
};

import { type FSWatcher, watch } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { hasCode, readSkillFile, type Skill } from './read-skill-file.ts';

interface SkillProblem {
  readonly path: string;
  readonly problem: string;
}

interface FoundSkills {
  readonly skills: ReadonlyMap<string, Skill>;
  readonly problems: readonly SkillProblem[];
}

const NOTHING: FoundSkills = { skills: new Map(), problems: [] };

const scanDirectory = async (directory: string): Promise<FoundSkills> => {
  const root = await realpath(directory);
  const entries = await readdir(root, { withFileTypes: true });
  const folders = entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .toSorted();
  const files = await Promise.all(
    folders.map(async (folder) => ({ folder, file: await readSkillFile(root, folder) })),
  );
  const skills = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  for (const { folder, file } of files) {
    const path = join(directory, folder, 'SKILL.md');
    if (file.status === 'broken') problems.push({ path, problem: file.problem });
    if (file.status !== 'read') continue;
    const { name } = file.skill;
    if (skills.has(name)) problems.push({ path, problem: `its name ${name} is taken by another folder` });
    else skills.set(name, file.skill);
  }
  return { skills, problems };
};

/** A directory that is not there is an empty one. */
const scanIfThere = (directory: string): Promise<FoundSkills> =>
  scanDirectory(directory).catch((error: unknown) =>
    hasCode(error, 'ENOENT')
      ? NOTHING
      : { ...NOTHING, problems: [{ path: directory, problem: errorMessage(error) }] },
  );

/** Never rejects. Of skills with the same name that of the later directory stands; a broken one replaces nothing. */
const scanSkills = async (directories: readonly string[]): Promise<FoundSkills> => {
  const found = await Promise.all(directories.map(scanIfThere));
  return {
    skills: new Map(found.flatMap(({ skills }) => [...skills])),
    problems: found.flatMap(({ problems }) => problems),
  };
};

export interface SkillManagerOptions {
  /** Of `<folder>/SKILL.md` each; a skill of a later one replaces that of the same name in an earlier one. */
  readonly directories: readonly string[];
  readonly logger: FinClawLogger;
  readonly events: Events;
  readonly clock: Clock;
}

export interface SkillManager {
  /** Reads the skills, and from then on again whenever files change. Never rejects. */
  readonly start: () => Promise<void>;
  /** Sorted by name. */
  readonly list: () => readonly Pick<Skill, 'name' | 'description'>[];
  /** As it was when it was last read. */
  readonly read: (name: string) => Promise<Pick<Skill, 'name' | 'body'> | undefined>;
  readonly stop: () => void;
}

/** An editor saves in several steps: what lies between them is not read. */
const SETTLE_MS = 300;

export const createSkillManager = (options: SkillManagerOptions): SkillManager => {
  const { directories, logger, events, clock } = options;
  let skills: ReadonlyMap<string, Skill> = new Map();
  let summaries: readonly Pick<Skill, 'name' | 'description'>[] = [];
  let reported: ReadonlyMap<string, string> = new Map();
  let loading = Promise.resolve();
  let isStopped = false;
  let cancelReload: (() => void) | undefined;
  const watchers: FSWatcher[] = [];

  /** Once, as long as it stays the same. */
  const report = (problems: readonly SkillProblem[]): void => {
    for (const { path, problem } of problems) {
      if (reported.get(path) === problem) continue;
      logger.warn(`A skill was left out: ${path}: ${problem}`);
      events.emit('skill:error', { path, error: problem });
    }
    reported = new Map(problems.map(({ path, problem }) => [path, problem]));
  };

  const load = async (): Promise<void> => {
    const found = await scanSkills(directories);
    if (isStopped) return;
    report(found.problems);
    skills = found.skills;
    summaries = [...skills.values()]
      .map(({ name, description }) => ({ name, description }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    events.emit('skill:load', { count: skills.size });
  };

  /** One after the other: an older reading must not replace a newer one. */
  const loadNext = (): Promise<void> => {
    loading = loading.then(load);
    return loading;
  };

  const reloadSoon = (): void => {
    cancelReload?.();
    if (!isStopped) cancelReload = clock.after(SETTLE_MS, () => void loadNext());
  };

  const watchDirectory = (directory: string): void => {
    const goOnWithout = (error: unknown): void =>
      logger.warn('Skills are not watched: changes count from the next start on', {
        directory,
        error: errorMessage(error),
      });
    try {
      const watcher = watch(directory, { recursive: true, persistent: false }, reloadSoon);
      watchers.push(watcher);
      watcher.on('error', (error) => {
        watcher.close();
        goOnWithout(error);
      });
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) goOnWithout(error);
    }
  };

  return {
    start: () => {
      // Watched first: what changes while it is read is read again.
      for (const directory of directories) watchDirectory(directory);
      return loadNext();
    },
    list: () => summaries,
    read: async (name) => {
      const skill = skills.get(name);
      return skill && { name, body: skill.body };
    },
    stop: () => {
      isStopped = true;
      cancelReload?.();
      for (const watcher of watchers) watcher.close();
    },
  };
};

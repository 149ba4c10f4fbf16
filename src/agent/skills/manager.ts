import { type FSWatcher, watch } from 'node:fs';
import { errorMessage } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { hasCode, type Skill } from './read-skill-file.ts';
import { scanSkills, type SkillProblem } from './scan-skills.ts';

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

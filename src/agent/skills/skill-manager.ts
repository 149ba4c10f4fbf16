import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { errorMessage } from '#src/kernel/errors.ts';
import { type FSWatcher, watch } from 'node:fs';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { Uses } from '#src/platform/services.ts';

/** A document and its front matter between two lines of `---`. */
interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

const RULE = /^---[ \t]*$/;
const FIELD = /^([A-Za-z][\w-]*):(?:[ \t](.*))?$/;
/** `>` and `|`: the value is on the following lines. */
const BELOW = /^[>|][+-]?$/;
const QUOTED = /^(?:"(.*)"|'(.*)')$/;

const unquoted = (value: string): string => {
  const [, double, single] = QUOTED.exec(value) ?? [];
  if (double !== undefined) return double.replaceAll(/\\(["\\])/g, '$1');
  return single === undefined ? value : single.replaceAll("''", "'");
};

const parseFields = (lines: readonly string[]): ReadonlyMap<string, string> => {
  const fields = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of lines) {
    const [, key, value = ''] = FIELD.exec(line) ?? [];
    if (key !== undefined) {
      current = BELOW.test(value.trim()) ? [] : [value.trim()];
      fields.set(key, current);
    } else if (/^[ \t]/.test(line)) {
      current.push(line.trim());
    }
  }
  return new Map([...fields].map(([key, parts]) => [key, unquoted(parts.join(' ').trim())]));
};

/**
 * Parses `key: value`, with quotes and with values continued on indented lines, which are joined by spaces.
 * Lists and nested values are read as text, which nothing uses. Undefined if the document has no front matter.
 */
export const parseFrontMatter = (document: string): FrontMatter | undefined => {
  const [first = '', ...lines] = document.replace(/^\ufeff/, '').split(/\r?\n/);
  const end = lines.findIndex((line) => RULE.test(line));
  if (!RULE.test(first) || end < 0) return undefined;
  return {
    fields: parseFields(lines.slice(0, end)),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
};

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** `none`: the folder contains no skill. */
type SkillFile =
  | { readonly status: 'read'; readonly skill: Skill }
  | { readonly status: 'none' }
  | { readonly status: 'broken'; readonly problem: string };

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const MAX_DESCRIPTION = 500;
const MAX_BODY_BYTES = 50 * 1024;
/** Includes the front matter. */
const MAX_FILE_BYTES = MAX_BODY_BYTES + 4 * 1024;

const broken = (problem: string): SkillFile => ({ status: 'broken', problem });

/** Returns the skill, or what is wrong with it. */
const parseSkill = (text: string): SkillFile => {
  const parsed = parseFrontMatter(text);
  if (!parsed) return broken('it does not begin with name and description between two lines of ---');
  const name = parsed.fields.get('name') ?? '';
  if (!NAME.test(name)) return broken(`its name must match ${NAME.source}`);
  const description = parsed.fields.get('description') ?? '';
  const length = Array.from(description).length;
  if (length === 0 || length > MAX_DESCRIPTION)
    return broken(`its description must have 1 to ${MAX_DESCRIPTION} characters, and has ${length}`);
  if (parsed.body === '') return broken('it has no text');
  if (Buffer.byteLength(parsed.body) > MAX_BODY_BYTES)
    return broken(`its text is longer than ${MAX_BODY_BYTES / 1024} KB`);
  return { status: 'read', skill: { name, description, body: parsed.body } };
};

const isInside = (path: string, directory: string): boolean => {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => error.code === code);

const readText = async (path: string): Promise<string | SkillFile> => {
  // Check before opening, because reading a pipe would never end.
  const found = await stat(path);
  if (!found.isFile()) return broken('it is not a file');
  if (found.size > MAX_FILE_BYTES) return broken(`it is larger than ${MAX_FILE_BYTES / 1024} KB`);
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
};

/** Never rejects. `root` is a real path; a link that leads out of it is not followed. */
const readSkillFile = async (root: string, folder: string): Promise<SkillFile> => {
  try {
    const path = await realpath(join(root, folder, 'SKILL.md'));
    if (!isInside(path, root)) return broken('it is a link that leads out of the directory of skills');
    const text = await readText(path);
    return typeof text === 'string' ? parseSkill(text) : text;
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ENOTDIR') ? { status: 'none' } : broken(errorMessage(error));
  }
};

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

/** A missing directory counts as empty. */
const scanIfThere = (directory: string): Promise<FoundSkills> =>
  scanDirectory(directory).catch((error: unknown) =>
    hasCode(error, 'ENOENT')
      ? NOTHING
      : { ...NOTHING, problems: [{ path: directory, problem: errorMessage(error) }] },
  );

/** Never rejects. A skill in a later directory overrides one of the same name; a broken one overrides nothing. */
const scanSkills = async (directories: readonly string[]): Promise<FoundSkills> => {
  const found = await Promise.all(directories.map(scanIfThere));
  return {
    skills: new Map(found.flatMap(({ skills }) => [...skills])),
    problems: found.flatMap(({ problems }) => problems),
  };
};

interface SkillManagerOptions extends Uses<'clock' | 'events' | 'logger'> {
  /** Directories with `<folder>/SKILL.md`; a skill in a later one overrides one of the same name. */
  readonly directories: readonly string[];
  /** Whether changes are noticed. Default: true. */
  readonly isWatching?: boolean;
}

export type SkillManager = ReturnType<typeof createSkillManager>;

/** Editors save in several steps; wait for the last one. */
const SETTLE_MS = 300;

export const createSkillManager = (options: SkillManagerOptions) => {
  const { directories, isWatching = true, logger, events, clock } = options;
  let skills: ReadonlyMap<string, Skill> = new Map();
  let summaries: readonly Pick<Skill, 'name' | 'description'>[] = [];
  let reported: ReadonlyMap<string, string> = new Map();
  const loads = new SerialQueue();
  let isStopped = false;
  let cancelReload: (() => void) | undefined;
  const watchers: FSWatcher[] = [];

  /** Reports an unchanged problem only once. */
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

  /** Serialized, so that an older read never replaces a newer one. */
  const loadNext = (): Promise<void> => loads.run('skills', load);

  const reloadSoon = (): void => {
    cancelReload?.();
    if (!isStopped) cancelReload = clock.after(SETTLE_MS, () => void loadNext());
  };

  const watchDirectory = (directory: string): void => {
    const goOnWithout = (error: unknown): void =>
      logger.warn('Skills are not watched, so changes take effect at the next start', {
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
    /** Reads the skills, and again whenever files change, if they are watched. Never rejects. */
    start: (): Promise<void> => {
      // Watch first, so that changes during the read trigger another one.
      if (isWatching) for (const directory of directories) watchDirectory(directory);
      return loadNext();
    },
    /** Sorted by name. */
    list: (): readonly Pick<Skill, 'name' | 'description'>[] => summaries,
    /** Returns the skill as last read. */
    read: async (name: string): Promise<Pick<Skill, 'name' | 'body'> | undefined> => {
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

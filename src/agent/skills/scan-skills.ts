import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '#src/core/errors.ts';
import { hasCode, readSkillFile, type Skill } from './read-skill-file.ts';

export interface SkillProblem {
  readonly path: string;
  readonly problem: string;
}

export interface FoundSkills {
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
export const scanSkills = async (directories: readonly string[]): Promise<FoundSkills> => {
  const found = await Promise.all(directories.map(scanIfThere));
  return {
    skills: new Map(found.flatMap(({ skills }) => [...skills])),
    problems: found.flatMap(({ problems }) => problems),
  };
};

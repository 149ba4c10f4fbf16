import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { errorMessage } from '#src/core/errors.ts';
import { parseFrontMatter } from './front-matter.ts';

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** `none`: the folder is no skill. */
export type SkillFile =
  | { readonly status: 'read'; readonly skill: Skill }
  | { readonly status: 'none' }
  | { readonly status: 'broken'; readonly problem: string };

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const MAX_DESCRIPTION = 500;
const MAX_BODY_BYTES = 50 * 1024;
/** With the lines above the body. */
const MAX_FILE_BYTES = MAX_BODY_BYTES + 4 * 1024;

const broken = (problem: string): SkillFile => ({ status: 'broken', problem });

/** What is wrong with a skill, or the skill. */
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

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => error.code === code);

const readText = async (path: string): Promise<string | SkillFile> => {
  // Before it is opened: a pipe in its place would never end.
  const found = await stat(path);
  if (!found.isFile()) return broken('it is not a file');
  if (found.size > MAX_FILE_BYTES) return broken(`it is larger than ${MAX_FILE_BYTES / 1024} KB`);
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
};

/** Never rejects. `root` is a real path; a link that leads out of it is not followed. */
export const readSkillFile = async (root: string, folder: string): Promise<SkillFile> => {
  try {
    const path = await realpath(join(root, folder, 'SKILL.md'));
    if (!isInside(path, root)) return broken('it is a link that leads out of the directory of skills');
    const text = await readText(path);
    return typeof text === 'string' ? parseSkill(text) : text;
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ENOTDIR') ? { status: 'none' } : broken(errorMessage(error));
  }
};

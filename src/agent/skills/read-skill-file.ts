import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { errorMessage } from '#src/kernel/errors.ts';

/** What stands above a document between two lines of `---`, and the document. */
interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

const RULE = /^---[ \t]*$/;
const FIELD = /^([A-Za-z][\w-]*):(?:[ \t](.*))?$/;
/** `>` and `|`: the value stands on the lines below. */
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
 * Reads `key: value`, with quotes and with values that go on over indented lines, which are joined by
 * blanks. Lists and nested values come out as text, and nobody asks for them. Undefined where the document
 * does not begin with such a block.
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

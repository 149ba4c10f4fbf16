/**
 * Fails on every member of an exported type or class that no code of the program reads. Reads by tests do not count: a
 * member that only tests read misleads readers of the code. `node scripts/check-members.ts [root]`
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findUnreadMembers, type Member } from './members/unread-members.ts';

/** A member, or all members of a file, that something outside of this code reads. */
interface Exception {
  readonly file?: string;
  readonly member?: string;
  readonly reason: string;
}

const FOLDERS = ['src', 'channels', 'commands', 'scripts'];

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const exceptionsPath = join(root, 'scripts/members/exceptions.json');
const exceptions: readonly Exception[] = existsSync(exceptionsPath)
  ? JSON.parse(readFileSync(exceptionsPath, 'utf8'))
  : [];
const used = new Set<Exception>();

const exceptionFor = (path: string, { owner, name }: Member): Exception | undefined => {
  const found = exceptions.find(({ file, member }) => file === path || member === `${owner}.${name}`);
  if (found) used.add(found);
  return found;
};

const failures = findUnreadMembers({ root, folders: FOLDERS }).flatMap((member) => {
  const path = relative(root, member.file);
  if (exceptionFor(path, member)) return [];
  return [
    `${path}:${member.line} ${member.owner}.${member.name} is read by nothing but tests: use it or delete it.`,
  ];
});
for (const exception of exceptions)
  if (!used.has(exception))
    failures.push(
      `scripts/members/exceptions.json: nothing needs the exception ${exception.file ?? exception.member}.`,
    );

for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;

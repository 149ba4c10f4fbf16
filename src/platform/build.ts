import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckout } from './files/checkout.ts';

/** Which FinClaw this is. Whatever says a version takes it from here. */
export interface Build {
  readonly version: string;
  /** The whole hash. Undefined: nobody knows. */
  readonly commit?: string | undefined;
  /** That of the commit, because it orders versions: an old commit that is built today is not new. Undefined: nobody knows. */
  readonly date?: string | undefined;
}

interface Manifest {
  readonly version: string;
  /** A package and an image have it; a checkout has not. */
  readonly build?: { readonly commit?: string; readonly date?: string };
}

const ROOT = join(import.meta.dirname, '..', '..');
const COMMIT = /^[\da-f]{7,64}$/;
const SHORT_COMMIT = 8;

/** Undefined for what is no time. */
const dateOf = (time: string | number | undefined): string | undefined => {
  const date = new Date(time ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+/, '');
};

/** The build of the program in this folder, as its packer wrote it down, or else as git did. */
export const readBuild = (root = ROOT): Build => {
  const { version, build } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  if (!build) {
    const { commit, committedAtMs } = readCheckout(root);
    return { version, commit, date: dateOf(committedAtMs) };
  }
  const { commit = '', date } = build;
  return { version, commit: COMMIT.test(commit) ? commit : undefined, date: dateOf(date) };
};

/** For programs. What nobody knows is called so. */
export const buildFields = ({ version, commit = 'unknown', date = 'unknown' }: Build) => ({
  version,
  commit,
  date,
});

/** For people: `0.1.0 (1a80778f, 2026-11-19T06:21:31Z)`. It is what processes tell each other, too. */
export const describeBuild = ({ version, commit, date }: Build): string => {
  const facts = [commit?.slice(0, SHORT_COMMIT) ?? 'commit unknown', date];
  return `${version} (${facts.filter((fact) => fact !== undefined).join(', ')})`;
};

const DESCRIBED = /^(\S+)(?: \((?:([\da-f]+)|commit unknown)(?:, (\S+))?\))?$/;

/** The number alone, for names of files and for strangers. */
export const versionNumber = (described: string): string => DESCRIBED.exec(described)?.[1] ?? described;

const compareParts = (one: string, other: string): number => {
  const [parts, otherParts] = [one.split('.'), other.split('.')];
  for (let at = 0; at < Math.max(parts.length, otherParts.length); at += 1) {
    const [part, otherPart] = [parts[at], otherParts[at]];
    if (part === otherPart) continue;
    if (part === undefined || otherPart === undefined) return part === undefined ? -1 : 1;
    const byNumber = Number(part) - Number(otherPart);
    return Number.isNaN(byNumber) ? (part < otherPart ? -1 : 1) : byNumber;
  }
  return 0;
};

/** Above 0 if the first is newer. A release is newer than its candidates (`1.0.0-rc.1`). */
const compareNumbers = (one: string, other: string): number => {
  const [[release = '', candidate], [otherRelease = '', otherCandidate]] = [
    one.split(/-(.*)/, 2),
    other.split(/-(.*)/, 2),
  ];
  const order = compareParts(release, otherRelease);
  if (order !== 0 || candidate === otherCandidate) return order;
  if (candidate === undefined || otherCandidate === undefined) return candidate === undefined ? 1 : -1;
  return compareParts(candidate, otherCandidate);
};

/** Whether one is newer than the other, both as described: by number, then by date. False where that cannot be said. */
export const isNewerBuild = (one: string, other: string): boolean => {
  const [, number = one, commit, date = ''] = DESCRIBED.exec(one) ?? [];
  const [, otherNumber = other, otherCommit, otherDate] = DESCRIBED.exec(other) ?? [];
  const order = compareNumbers(number, otherNumber);
  if (order !== 0) return order > 0;
  const isSame = commit !== undefined && commit === otherCommit;
  return !isSame && otherDate !== undefined && date > otherDate;
};

if (import.meta.main) console.log(describeBuild(readBuild())); // oxlint-disable-line no-console

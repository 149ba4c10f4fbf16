import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnreadMembers } from '../scripts/members/unread-members.ts';

const THINGS = `
export interface Reading {
  readonly byName: number;
  readonly byPattern: number;
  readonly byKey: number;
  readonly byOneOfTwo: number;
  readonly throughAnother: number;
  readonly bySpread: number;
  readonly byTests: number;
  readonly byNobody?: number;
}
export class Counter {
  count = 0;
  written = 0;
  increase(): void {
    this.count += 1;
    this.written = 1;
  }
  reset(): void {
    this.count = 0;
  }
}
interface NotExported {
  readonly unread: number;
}
export type Outcome = { readonly ok: true; readonly value: number } | { readonly ok: false; readonly why: string };
export const made: NotExported = { unread: 1 };
`;
const READERS = `
import { Counter, type Outcome, type Reading } from './things.ts';
const half = ({ throughAnother }: { readonly throughAnother: number }): number => throughAnother / 2;
const spread = (reading: Reading): { readonly bySpread: number } => ({ ...reading });
export const read = (reading: Reading, key: 'byOneOfTwo' | 'byName', outcome: Outcome): number => {
  const { byPattern } = reading;
  const counter = new Counter();
  counter.increase();
  const total = reading.byName + byPattern + reading['byKey'] + reading[key] + half(reading) + counter.count;
  return total + spread(reading).bySpread + (outcome.ok ? outcome.value : 0);
};
`;
const TESTS = `
import { Counter, type Reading } from '../src/things.ts';
export const look = (reading: Reading): number => reading.byTests;
new Counter().reset();
`;

const root = mkdtempSync(join(tmpdir(), 'finclaw-members-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(() => {
  const files = {
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, module: 'nodenext', allowImportingTsExtensions: true },
      include: ['src', 'test'],
    }),
    'package.json': '{"type":"module"}',
    'src/things.ts': THINGS,
    'src/readers.ts': READERS,
    'test/look.ts': TESTS,
  };
  for (const folder of ['src', 'test']) mkdirSync(join(root, folder));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
});

describe('a member of an exported type', () => {
  it('is unread where nothing but tests reads it, however the others are read', () => {
    const found = findUnreadMembers({ root, folders: ['src'] });
    expect(found.map(({ owner, name }) => `${owner}.${name}`).toSorted()).toEqual([
      'Counter.reset',
      'Counter.written',
      'Outcome.why',
      'Reading.byNobody',
      'Reading.byTests',
    ]);
    expect(found[0]?.line).toBeGreaterThan(1);
  });

  it('is not looked for in folders without sources', () => {
    expect(() => findUnreadMembers({ root, folders: ['absent'] })).toThrow('no sources in absent');
  });
});

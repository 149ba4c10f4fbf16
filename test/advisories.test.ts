import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { compareVersions, findAdvised, readAdvisories } from '../scripts/advisories/find-advised.ts';

const about = (id: string, name: string, events: readonly object[], more: object = {}) => ({
  id,
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
  ...more,
});

const PACKAGES = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.4.2' },
  'node_modules/@scope/b': { version: '2.0.0-beta.2', dev: true },
  'node_modules/a/node_modules/c': { version: '3.0.0' },
};

it('names the locked packages that an advisory concerns, and no others', () => {
  const list = [
    about('OLD', 'a', [{ introduced: '0' }, { fixed: '1.4.2' }]),
    about('NEW', 'a', [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '1.4.0' }, { fixed: '1.4.3' }]),
    about('LAST', 'c', [{ introduced: '2.0.0' }, { last_affected: '3.0.0' }]),
    about('BETA', '@scope/b', [{ introduced: '2.0.0-beta.1' }, { fixed: '2.0.0' }]),
    about('GONE', 'a', [{ introduced: '0' }], { withdrawn: '2026-01-01T00:00:00Z' }),
    { id: 'LISTED', affected: [{ package: { ecosystem: 'npm', name: 'c' }, versions: ['3.0.0'] }] },
    { id: 'OTHER', affected: [{ package: { ecosystem: 'PyPI', name: 'a' }, versions: ['1.4.2'] }] },
  ];
  const forms = [JSON.stringify(list), list.map((each) => JSON.stringify(each)).join('\n')];
  for (const form of forms)
    expect(
      findAdvised(PACKAGES, readAdvisories(form)).map(({ name, isDev, advisory }) => [
        name,
        advisory.id,
        isDev,
      ]),
    ).toEqual([
      ['a', 'NEW', false],
      ['@scope/b', 'BETA', true],
      ['c', 'LAST', false],
      ['c', 'LISTED', false],
    ]);
  expect(readAdvisories(JSON.stringify(list[0], null, 2))).toHaveLength(1);
  for (const wrong of ['no JSON', '[{}]']) expect(() => readAdvisories(wrong)).toThrow();
});

it('orders versions as npm does', () => {
  const inOrder = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.2.0',
    '1.10.0',
  ];
  expect(inOrder.toReversed().toSorted(compareVersions)).toEqual(inOrder);
});

it('has a reason for each direct dependency in the documentation, and for nothing else', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs/supply-chain.md'), 'utf8');
  const named = [...page.matchAll(/^\| `(?<name>[^`]+)`/gmu)].map(({ groups }) => groups?.['name']);
  expect(named).toEqual(Object.keys(packageJson.dependencies));
});

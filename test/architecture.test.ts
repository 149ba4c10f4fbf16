import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { type Import, importsOf, readSources, type SourceFile } from '#test/support/imports.ts';

const ROOT = join(import.meta.dirname, '..');

/** Who may import whom. A folder may always import itself; the longest matching name counts. `x/*`: each folder in x. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/language': ['src/core'],
  'src/infra': ['src/core'],
  'src/config': ['src/core', 'src/language', 'src/infra'],
  'src/storage': ['src/core', 'src/language', 'src/infra'],
  'src/agent': ['src/core', 'src/language', 'src/infra', 'src/storage'],
  'src/finance': ['src/core', 'src/language', 'src/infra', 'src/storage'],
  'src/turns': ['src/core', 'src/language', 'src/infra', 'src/storage'],
  'src/gateway': ['src/core', 'src/language', 'src/infra', 'src/storage', 'src/turns'],
  'src/pipeline': ['src/core', 'src/language', 'src/infra', 'src/storage'],
  'channels/index.ts': ['src/infra', 'channels/*'],
  'channels/*': ['src/core', 'src/language', 'src/infra'],
  commands: ['src/core', 'src/language', 'src/infra'],
  'src/app.ts': [
    'src/core',
    'src/language',
    'src/infra',
    'src/config',
    'src/storage',
    'src/agent',
    'src/finance',
    'src/turns',
    'src/gateway',
    'src/pipeline',
    'src/lifecycle.ts',
    'src/open-base.ts',
    'src/open-operations.ts',
    'src/open-people.ts',
    'src/open-plugins.ts',
    'src/open-retention.ts',
    'commands',
  ],
  'src/open-base.ts': ['src/core', 'src/infra', 'src/config', 'src/storage', 'src/agent'],
  'src/open-operations.ts': ['src/core', 'src/infra', 'src/storage', 'src/turns'],
  'src/open-people.ts': [
    'src/core',
    'src/config',
    'src/storage',
    'src/turns',
    'src/pipeline',
    'src/open-base.ts',
  ],
  'src/open-plugins.ts': ['src/core', 'src/infra', 'src/config', 'src/agent', 'src/finance', 'commands'],
  'src/open-retention.ts': ['src/core', 'src/infra', 'src/storage', 'src/agent', 'src/turns'],
  'src/lifecycle.ts': ['src/core', 'src/infra'],
  'src/open-channels.ts': ['src/config', 'src/core', 'src/infra'],
  'src/main.ts': [
    'src/app.ts',
    'src/lifecycle.ts',
    'src/open-channels.ts',
    'src/config',
    'src/core',
    'src/infra',
    'channels/index.ts',
    'package.json',
  ],
};

/** Packages that only these places may know. Others are free. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  'discord.js': ['channels/discord'],
  '@slack/bolt': ['channels/slack'],
  '@anthropic-ai/sdk': ['src/agent/providers'],
  openai: ['src/agent/providers'],
  '@aws-sdk/client-secrets-manager': ['src/agent/auth'],
  kysely: ['src/storage'],
  pg: ['src/storage'],
  'node:sqlite': ['src/storage'],
  'p-queue': ['src/turns'],
  tslog: ['src/infra'],
  echarts: ['src/finance/charts'],
  '@napi-rs/canvas': ['src/finance/charts'],
  croner: ['src/finance/briefings'],
};

const CORE_PACKAGES: ReadonlySet<string> = new Set(['zod', 'decimal.js']);

/** The folder that a name of the table means for this path: of `channels/*`, the channel that the path is in. */
const meantBy = (folder: string, path: string): string =>
  folder.endsWith('/*') ? path.split('/').slice(0, folder.split('/').length).join('/') : folder;

const isInside = (path: string, folder: string): boolean =>
  folder.endsWith('/*')
    ? path.startsWith(`${meantBy(folder, path)}/`) && path.startsWith(folder.slice(0, -1))
    : path === folder || path.startsWith(`${folder}/`);

const folderOf = (path: string): string | undefined =>
  Object.keys(MAY_IMPORT)
    .filter((folder) => isInside(path, folder))
    .toSorted((a, b) => b.length - a.length)[0];

const isAllowed = ({ from, to, isOurs }: Import): boolean => {
  const home = folderOf(from);
  if (home === undefined) return false;
  if (isOurs)
    return (
      isInside(to, meantBy(home, from)) || (MAY_IMPORT[home] ?? []).some((folder) => isInside(to, folder))
    );
  if (home === 'src/core') return CORE_PACKAGES.has(to);
  return PACKAGE_HOMES[to]?.some((folder) => isInside(from, folder)) ?? true;
};

const violations = (files: readonly SourceFile[]): readonly string[] =>
  files
    .flatMap(importsOf)
    .filter((found) => !isAllowed(found))
    .map(({ from, to }) => `${from} may not import ${to}`);

const sources = readSources(ROOT, ['src', 'channels', 'commands']);

describe('who may import whom', () => {
  it('holds everywhere', () => {
    expect(violations(sources)).toEqual([]);
  });

  it('was checked on real files with real imports', () => {
    expect(sources.length).toBeGreaterThan(70);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(300);
    const folders = new Set(sources.map(({ path }) => folderOf(path) ?? `no home for ${path}`));
    expect([...folders].toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
  });

  everyRow([
    ['src/kernel/money.ts', "import { retry } from '#src/infra/retry.ts';"],
    ['src/kernel/money.ts', "import { readFileSync } from 'node:fs';"],
    ['src/agent/prompt/system-prompt.ts', "import type { Delivery } from '#src/pipeline/delivery.ts';"],
    ['src/finance/calendar.ts', "import { x } from '../gateway/binding.ts';"],
    ['src/chat/stages/pipeline.ts', "export { x } from '#src/agent/execution/runner.ts';"],
    ['channels/console/adapter.ts', "const x = await import('#src/platform/storage/inbox.ts');"],
    ['channels/slack/adapter.ts', "import { x } from '../discord/markup.ts';"],
    ['src/platform/config/config.ts', "import { CHANNELS } from '#channels/index.ts';"],
    ['commands/markets/price.ts', "import {\n  createMarket,\n} from '#src/finance/market/market.ts';"],
    ['commands/markets/price.ts', "import { Kysely } from 'kysely';"],
    ['src/gateway/inbox.ts', "import { app } from '#src/app.ts';"],
    ['src/chat/turns/turns.ts', "import type { Gateway } from '../gateway/gateway.ts';"],
    ['src/pipeline/x.ts', "import { Client } from 'discord.js';"],
    ['src/agent/loop/runner.ts', "import OpenAI from 'openai';"],
    ['src/features/quotes/quotes.ts', "const lib = await import('echarts');"],
    ['src/agent/loop/runner.ts', "import type { Message } from '@anthropic-ai/sdk/resources';"],
    ['src/agent/engine.ts', "const aws = await import('@aws-sdk/client-secrets-manager');"],
    ['src/somewhere-new/x.ts', "import { z } from 'zod';"],
  ])('is broken by %s with %s', (path, text) => {
    expect(violations([{ path, text: `// a planted file\n${text}\n` }])).toHaveLength(1);
  });
});

describe('the shape of files', () => {
  it('keeps every source file at most 400 lines long', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  it('keeps main.ts under 60 lines', () => {
    const main = sources.find(({ path }) => path === 'src/main.ts');
    expect(main?.text.split('\n').length).toBeLessThan(60);
  });

  it('has kebab-case file names', () => {
    const odd = sources.filter(({ path }) => !/^[a-z0-9./-]+$/.test(path)).map(({ path }) => path);
    expect(odd).toEqual([]);
  });
});

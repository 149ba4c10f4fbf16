import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { type Import, importsOf, readSources, type SourceFile } from '#test/support/imports.ts';

const ROOT = join(import.meta.dirname, '..');

// Who may import whom, by area. An area may always import itself. The longest matching name is a path's area, so
// `src/platform` does not stand for its storage. `x/*`: each folder in x. `x/*/index.ts`: what a folder in x offers.
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/kernel': [],
  'src/reading': ['src/kernel'],
  // What people mean, by examples: it knows neither features nor their tools.
  'src/words': ['src/kernel', 'src/reading', 'src/platform'],
  'src/platform': ['src/kernel'],
  'src/platform/config': ['src/kernel', 'src/platform'],
  'src/platform/storage': ['src/kernel', 'src/platform'],
  'src/platform/backup': ['src/kernel', 'src/platform', 'src/platform/storage'],
  'src/platform/cluster': ['src/kernel', 'src/platform', 'src/platform/storage'],
  'src/people': ['src/kernel', 'src/platform', 'src/platform/storage'],
  'src/markets': ['src/kernel', 'src/reading', 'src/platform', 'src/platform/storage'],
  'src/features/services.ts': [
    'src/kernel',
    'src/platform',
    'src/platform/storage',
    'src/people',
    'src/markets',
  ],
  'src/features/feature.ts': ['src/kernel', 'src/platform', 'src/markets', 'src/features/services.ts'],
  'src/features/ability.ts': [
    'src/kernel',
    'src/reading',
    'src/platform',
    'src/markets',
    'src/features/feature.ts',
  ],
  // The rules for sentences use the readers of every feature. The row stands before that of all features, and so it counts.
  'src/features/intents': ['src/kernel', 'src/reading', 'src/platform', 'src/words', 'src/features/*'],
  // These two know all features: what opens them, and the page with everything that a person has.
  'src/features/open': [
    'src/kernel',
    'src/reading',
    'src/platform',
    'src/platform/storage',
    'src/people',
    'src/chat/store/notifications.ts',
    'src/markets',
    'src/features',
    'src/features/feature.ts',
    'src/features/services.ts',
    'src/features/*',
    'src/features/intents',
  ],
  'src/features/home': [
    'src/kernel',
    'src/reading',
    'src/platform',
    'src/platform/storage',
    'src/markets',
    'src/features/*',
    'src/features/open',
  ],
  'src/features/*': [
    'src/kernel',
    'src/reading',
    'src/platform',
    'src/platform/storage',
    'src/people',
    'src/chat/store/notifications.ts',
    'src/markets',
    'src/features/feature.ts',
    'src/features/services.ts',
    'src/features/ability.ts',
    'src/features/*/index.ts',
  ],
  'src/features': ['src/platform/storage', 'src/features/*', 'src/features/home'],
  // What is sent later is stored in the transaction of its cause.
  'src/chat/store/notifications.ts': ['src/kernel', 'src/platform/storage', 'src/chat/store'],
  'src/chat/store': [
    'src/kernel',
    'src/platform',
    'src/platform/storage',
    'src/people',
    'src/chat/store/notifications.ts',
  ],
  'src/chat/context': ['src/kernel', 'src/reading'],
  'src/chat/queue': [
    'src/kernel',
    'src/platform',
    'src/platform/storage',
    'src/platform/cluster',
    'src/chat/store',
    'src/chat/context',
  ],
  'src/chat/gates': ['src/kernel', 'src/platform', 'src/people', 'src/chat/store', 'src/chat/context'],
  'src/chat/intake': [
    'src/kernel',
    'src/reading',
    'src/platform',
    'src/platform/storage',
    'src/people',
    'src/chat/store',
    'src/chat/context',
    'src/chat/queue',
    'src/chat/gates',
  ],
  'src/chat/commands': ['src/kernel', 'src/platform', 'src/chat/delivery'],
  'src/chat/delivery': [
    'src/kernel',
    'src/reading',
    'src/platform',
    'src/platform/storage',
    'src/chat/store',
    'src/chat/store/notifications.ts',
  ],
  'src/chat/pipeline': [
    'src/kernel',
    'src/reading',
    'src/platform',
    'src/platform/storage',
    'src/people',
    'src/chat/store',
    'src/chat/delivery',
    'src/chat/commands',
  ],
  'src/agent': ['src/kernel', 'src/reading', 'src/platform', 'src/platform/storage', 'src/platform/cluster'],
  'src/operator': ['src/kernel', 'src/platform', 'src/platform/storage'],
  'channels/index.ts': ['src/platform', 'channels/*/index.ts'],
  'channels/*': ['src/kernel', 'src/platform'],
  commands: [
    'src/kernel',
    'src/reading',
    'src/platform',
    'src/markets',
    'src/features/index.ts',
    'src/features/*/index.ts',
  ],
  'src/wiring': [
    'src/kernel',
    'src/platform',
    'src/platform/config',
    'src/platform/storage',
    'src/platform/cluster',
    'src/platform/backup',
    'src/people',
    'src/chat/store',
    'src/chat/store/notifications.ts',
    'src/markets',
    'src/features',
    'src/features/open',
    'src/features/home',
    'src/chat/context',
    'src/chat/queue',
    'src/chat/intake',
    'src/chat/commands',
    'src/chat/delivery',
    'src/agent',
    'src/operator',
    'commands',
  ],
  'src/app.ts': [
    'src/kernel',
    'src/platform',
    'src/platform/config',
    'src/chat/queue',
    'src/chat/intake',
    'src/chat/pipeline',
    'src/agent',
    'src/wiring',
    'src/chat/commands',
  ],
  'src/preload.ts': ['src/platform'],
  'src/main.ts': [
    'src/app.ts',
    'src/kernel',
    'src/platform',
    'src/platform/config',
    'channels/index.ts',
    'src/wiring',
  ],
};

/** Packages that only these places may know, by folder or by a pattern of files. Others are free. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  'discord.js': ['channels/discord'],
  '@slack/bolt': ['channels/slack'],
  '@anthropic-ai/sdk': ['src/agent/providers'],
  openai: ['src/agent/providers'],
  '@aws-sdk/client-secrets-manager': ['src/agent/keys'],
  kysely: [
    'src/platform/storage',
    'src/platform/backup',
    'src/**/store/**',
    'src/**/store*.ts',
    'src/**/tables.ts',
  ],
  pg: ['src/platform/storage', 'src/platform/cluster'],
  'pg-boss': ['src/platform/cluster'],
  'node:sqlite': ['src/platform/storage', 'src/platform/backup'],
  'p-queue': ['src/chat/queue'],
  tslog: ['src/platform'],
  echarts: ['src/markets/charts', 'src/operator'],
  hono: ['src/operator'],
  '@hono/node-server': ['src/operator'],
  '@napi-rs/canvas': ['src/markets/charts'],
  croner: ['src/features/briefings'],
};

const KERNEL_PACKAGES: ReadonlySet<string> = new Set(['zod', 'decimal.js']);

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Whether a name of the table means this path; of `x/*`, every folder in x. */
const means = (name: string, path: string): boolean => {
  const parts = name.split('/');
  const own = path.split('/');
  if (own.length < parts.length || (parts.at(-1) === '*' && own.length === parts.length)) return false;
  return parts.every((part, index) => part === '*' || part === own[index]);
};

const areaOfPath = new Map<string, string | undefined>();

const areaOf = (path: string): string | undefined =>
  areaOfPath.getOrInsertComputed(
    path,
    () =>
      Object.keys(MAY_IMPORT)
        .filter((name) => means(name, path))
        .toSorted((a, b) => b.split('/').length - a.split('/').length)[0],
  );

/** The first folders of a path, as many as its area has: of `channels/*`, the channel itself. */
const placeOf = (path: string, area: string): string =>
  path.split('/').slice(0, area.split('/').length).join('/');

const isAllowed = ({ from, to, isOurs }: Import): boolean => {
  const area = areaOf(from);
  if (area === undefined) return false;
  if (!isOurs)
    return area === 'src/kernel'
      ? KERNEL_PACKAGES.has(to)
      : (PACKAGE_HOMES[to]?.some((home) => isInside(from, home) || matchesGlob(from, home)) ?? true);
  const target = areaOf(to) ?? to;
  if (target === area && placeOf(from, area) === placeOf(to, target)) return true;
  return (MAY_IMPORT[area] ?? []).some((name) =>
    name.endsWith('/index.ts') ? means(name, to) : name === target,
  );
};

const violations = (files: readonly SourceFile[]): readonly string[] =>
  files
    .flatMap(importsOf)
    .filter((found) => !isAllowed(found))
    .map(({ from, to }) => `${from} may not import ${to}`);

/** Files that import each other, directly or through others; type-only imports count. */
const circles = (files: readonly SourceFile[]): readonly string[] => {
  const targets = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ to, isOurs }) => (isOurs ? [to] : []))]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) found.push([...way.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const to of targets.get(path) ?? []) visit(to, [...way, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return found;
};

/** `src/agent` and `loop` of `src/agent/loop/run.ts`, and so on for every folder above the file. */
const entriesAbove = (path: string): readonly (readonly [folder: string, entry: string])[] => {
  const parts = path.split('/');
  return parts.slice(1).map((entry, index) => [parts.slice(0, index + 1).join('/'), entry] as const);
};

/** Folders that import each other, directly or through other entries of the folder in which they lie. */
const folderCircles = (files: readonly SourceFile[]): readonly string[] => {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const { from, to, isOurs } of files.flatMap(importsOf)) {
    const targets = new Map(isOurs ? entriesAbove(to) : []);
    for (const [folder, entry] of entriesAbove(from)) {
      const target = targets.get(folder);
      if (target === undefined || target === entry) continue;
      const entries = folders.getOrInsertComputed(folder, () => new Map<string, Set<string>>());
      entries.getOrInsertComputed(entry, () => new Set<string>()).add(target);
    }
  }
  return [...folders].flatMap(([folder, entries]) => {
    const reaches = (start: string): boolean => {
      const seen = new Set<string>();
      const open = [...(entries.get(start) ?? [])];
      for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
        if (entry === start) return true;
        if (!seen.has(entry)) open.push(...(entries.get(entry) ?? []));
        seen.add(entry);
      }
      return false;
    };
    return [...entries.keys()].filter(reaches).map((entry) => `${folder}/${entry}`);
  });
};

/** Permissions of the table that no import needs. */
const unusedPermissions = (files: readonly SourceFile[]): readonly string[] => {
  const imports = files.flatMap(importsOf).filter(({ isOurs }) => isOurs);
  return Object.entries(MAY_IMPORT).flatMap(([area, names]) =>
    names
      .filter((name) => {
        const isUsed = ({ from, to }: Import): boolean => {
          if (areaOf(from) !== area) return false;
          return name.endsWith('/index.ts') ? means(name, to) : (areaOf(to) ?? to) === name;
        };
        return !imports.some(isUsed);
      })
      .map((name) => `${area} does not import ${name}`),
  );
};

/** What only this file may write, so that nothing gets round a rule that stands there. */
const WRITTEN_IN: Readonly<Record<string, string>> = {
  'sampleMark()': 'src/chat/store/sample-mark.ts',
  "insertInto('outbox')": 'src/chat/store/outbox.ts',
  "insertInto('notifications')": 'src/chat/store/notifications.ts',
  'outbox.plan(': 'src/chat/delivery/delivery.ts',
};

/** The id of a channel as a value. Its capabilities say what it can do. */
const CHANNEL_ID = /['"](?:console|discord|slack)['"]/;
/** Rights, time zone and name of whoever sits there follow from an identity, also in a process without a terminal. */
const TERMINAL = 'src/kernel/chat/terminal.ts';
const ASKS_FOR_TERMINAL = [
  'src/chat/context/admins.ts',
  'src/chat/context/time-zone.ts',
  'src/features/portfolio/import/files/read-source.ts',
  'src/kernel/people/identity.ts',
  'src/operator/layout.ts',
];

const namesAChannel = ({ path, text }: SourceFile): boolean =>
  !path.startsWith('channels/') && path !== TERMINAL && CHANNEL_ID.test(text);

const sources = readSources(ROOT, ['src', 'channels', 'commands']);

describe('what the program knows of its channels', () => {
  it('is what they say themselves, but for whose the terminal is', () => {
    expect(sources.filter(namesAChannel).map(({ path }) => path)).toEqual([]);
    const asking = sources
      .flatMap(importsOf)
      .flatMap(({ from, to }) => (to === TERMINAL && !from.startsWith('channels/console/') ? [from] : []));
    expect(asking.toSorted()).toEqual(ASKS_FOR_TERMINAL);
    const planted = { path: 'src/chat/x.ts', text: "if (channelId === 'slack') return;" };
    expect(namesAChannel(planted)).toBe(true);
  });
});

describe('what stands in one place', () => {
  it.each(Object.entries(WRITTEN_IN))('%s, in %s', (text, path) => {
    expect(sources.flatMap((file) => (file.text.includes(text) ? [file.path] : []))).toEqual([path]);
  });
});

describe('who may import whom', () => {
  it('holds everywhere', () => {
    expect(violations(sources)).toEqual([]);
  });

  it('was checked on real files with real imports', () => {
    expect(sources.length).toBeGreaterThan(70);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(300);
    const areas = new Set(sources.map(({ path }) => areaOf(path) ?? `no area for ${path}`));
    expect([...areas].toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
  });

  everyRow([
    ['src/kernel/money.ts', "import { retry } from '#src/platform/retry.ts';"],
    ['src/kernel/money.ts', "import { readFileSync } from 'node:fs';"],
    ['src/platform/concurrency/retry.ts', "import type { Inbox } from '../storage/database.ts';"],
    ['src/agent/prompt/system-prompt.ts', "import type { Delivery } from '#src/chat/delivery/delivery.ts';"],
    ['src/markets/calendar/calendar.ts', "import { x } from '../../chat/intake/binding.ts';"],
    ['src/markets/calendar/calendar.ts', "import { alertTitle } from '#src/features/alerts/index.ts';"],
    [
      'src/features/briefings/next-run.ts',
      "import { x } from '#src/features/alerts/conditions/describe-condition.ts';",
    ],
    ['src/chat/pipeline/pipeline.ts', "export { x } from '#src/agent/loop/runner.ts';"],
    ['src/chat/delivery/delivery.ts', "import { x } from '../stages/pipeline.ts';"],
    ['src/chat/queue/turns.ts', "import type { Gateway } from '../intake/gateway.ts';"],
    ['channels/console/adapter.ts', "const x = await import('#src/chat/store/inbox.ts');"],
    ['channels/slack/adapter.ts', "import { x } from '../discord/markup.ts';"],
    ['src/platform/config/config.ts', "import { CHANNELS } from '#channels/index.ts';"],
    [
      'commands/chat/price.ts',
      "import {\n  createAlertWatch,\n} from '#src/features/alerts/watching/alert-watch.ts';",
    ],
    ['commands/chat/price.ts', "import { Kysely } from 'kysely';"],
    ['src/features/alerts/set-alert.ts', "import { Kysely } from 'kysely';"],
    ['src/chat/intake/gateway.ts', "import { app } from '#src/app.ts';"],
    ['src/chat/pipeline/x.ts', "import { Client } from 'discord.js';"],
    ['src/agent/loop/runner.ts', "import OpenAI from 'openai';"],
    ['src/features/quotes/quotes.ts', "const lib = await import('echarts');"],
    ['src/agent/loop/runner.ts', "import type { Message } from '@anthropic-ai/sdk/resources';"],
    ['src/agent/engine.ts', "const aws = await import('@aws-sdk/client-secrets-manager');"],
    ['src/somewhere-new/x.ts', "import { z } from 'zod';"],
  ])('is broken by %s with %s', (path, text) => {
    expect(violations([{ path, text: `// a planted file\n${text}\n` }])).toHaveLength(1);
  });

  it('makes no circle, not even of types', () => {
    expect(circles(sources)).toEqual([]);
    const planted = [
      { path: 'src/kernel/a.ts', text: "import type { B } from './b.ts';\n" },
      { path: 'src/kernel/b.ts', text: "import type { C } from './c.ts';\n" },
      { path: 'src/kernel/c.ts', text: "import type { A } from '#src/kernel/a.ts';\n" },
    ];
    expect(circles(planted)).toEqual([
      'src/kernel/a.ts → src/kernel/b.ts → src/kernel/c.ts → src/kernel/a.ts',
    ]);
  });
});

describe('folders', () => {
  it('do not import each other in a circle', () => {
    expect(folderCircles(sources)).toEqual([]);
    const planted = [
      { path: 'src/kernel/a/one.ts', text: "import { two } from '../b/two.ts';\n" },
      { path: 'src/kernel/b/three.ts', text: "import { four } from '#src/kernel/four.ts';\n" },
      { path: 'src/kernel/four.ts', text: "import type { Five } from './a/five.ts';\n" },
    ];
    expect(folderCircles(planted).toSorted()).toEqual(['src/kernel/a', 'src/kernel/b', 'src/kernel/four.ts']);
  });

  it('have no permission that nothing uses', () => {
    expect(unusedPermissions(sources)).toEqual([]);
  });
});

describe('the shape of files', () => {
  it('keeps every source file at most 600 lines long', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 600).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  it('exports no type under a name that another file exports', () => {
    const homes = Map.groupBy(
      sources.flatMap(({ path, text }) =>
        [...text.matchAll(/^export (?:interface|type|class) (\w+)/gmu)].map(([, name = '']) => ({
          name,
          path,
        })),
      ),
      ({ name }) => name,
    );
    const twice = [...homes].filter(([, found]) => found.length > 1);
    expect(homes.size).toBeGreaterThan(1_000);
    expect(twice.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(', ')}`)).toEqual([]);
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

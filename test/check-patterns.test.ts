import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdictOf } from '../scripts/patterns/pattern-verdicts.ts';
import { growthOf } from '../scripts/patterns/prove-linear.ts';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { temporaryDir } from '#test/support/database.ts';

const ROOT = join(import.meta.dirname, '..');
const CHECK = join(ROOT, 'scripts/check-patterns.ts');

/** What the check says about a small program of its own, with these files. */
const checkPlanted = (files: Readonly<Record<string, string>>) => {
  const root = temporaryDir();
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, root], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE },
  });
  return { status, said: stdout + stderr };
};

const statusOf = async (pattern: RegExp): Promise<string> => {
  const verdict = await verdictOf(pattern);
  return verdict.status === 'faster' && verdict.degree === Number.POSITIVE_INFINITY
    ? 'exponential'
    : verdict.status;
};

describe('a pattern', () => {
  it.each([
    /\s+/u,
    /^\s+|(?<!\s)\s+$/u,
    /(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/giu,
    /\bsk-[\w-]{10,}/gu,
    /^.*x/u,
    /"(?:[^"]|"")*"/gu,
    /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/u,
    /\s*x/uy,
    /(["'])[^"']*\1/gu,
  ])('that takes time in proportion to the text is let through: %s', async (pattern) => {
    expect(await statusOf(pattern)).toBe('linear');
  });

  it.each([
    // Many places to begin at.
    /\s+$/u,
    /[\p{L}\p{N}]*[가-힣]+[\p{L}\p{N}]*/gu,
    /<[^]*>/u,
    /^\s*x/mu,
    /,(?![^()]*\))/gu,
    /a(?:[^]*b)?/gu,
    // Two neighbours for the same characters.
    /^\s*-?\s*x/u,
    /^([-+]?)\s*([^\d.,+-]*?)\s*([-+]?)\s*([\d.,]+)\s*([^\d.,+-]*?)\s*(-?)$/u,
    /^(?=.*\d)(?:a|b)*\p{L}*$/u,
    // Ends that are far away, and several near ones in a row.
    /<[^>]{0,2000}>/u,
    /^\w{1,30}\w{1,30}\w{1,30}!/u,
  ])('that grows faster is not: %s', async (pattern) => {
    expect(await statusOf(pattern)).toBe('faster');
  });

  it.each([/^(?:a*)*b/u, /^(?:a|ab?b?)*c/u, /^(?:\s*,?\s*x?)*$/u])(
    'of exponential growth is not: %s',
    async (pattern) => {
      expect(await statusOf(pattern)).toBe('exponential');
    },
  );

  it('that has a lookbehind of any length is not decided', async () => {
    expect(await statusOf(/(?<=a\s+)b+/u)).toBe('undecided');
  });

  it('is never called linear where recheck knows an attack', async () => {
    process.env['RECHECK_BACKEND'] = 'pure';
    const { checkSync } = await import('recheck');
    const part = fc.letrec<{ sequence: string; atom: string }>((tie) => ({
      sequence: fc
        .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '*?')), {
          minLength: 1,
          maxLength: 3,
        })
        .map((parts) => parts.map(([atom, count]) => atom + count).join('')),
      atom: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('[a]', '[b]', '[ab]', '[bc]'),
        fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => `(?:${parts.join('|')})`),
      ),
    })).sequence;
    const model = fc
      .tuple(fc.constantFrom('', '^'), part, fc.constantFrom('', '$'))
      .map(([begin, middle, end]) => `${begin}(?:${middle})${end}`);
    fc.assert(
      fc.property(model, (text) => {
        const growth = growthOf(text, false);
        fc.pre(growth.status === 'known' && growth.degree === 1);
        expect(checkSync(text, '', { checker: 'automaton', timeout: 5_000 }).status).not.toBe('vulnerable');
      }),
      { numRuns: 40, seed: 20 },
    );
  }, 60_000);
});

const SLOW = 'export const slow = /\\s+$/u;\n';

const IN_EVERY_FOLDER = {
  'src/a.ts': `interface Ignored { pattern: RegExp }\n${SLOW}`,
  'channels/b.ts': SLOW,
  'commands/c.ts':
    "export const BLANKS = String.raw`\\s*`;\nexport const build = (end: string): RegExp =>\n  new RegExp(`${BLANKS}-?${BLANKS}${end}`, 'u');\n",
  'src/d.ts': "import { build } from '../commands/c.ts';\nexport const fast = [build('x')];\n",
};

const OUT_OF_SIGHT = {
  'src/later.ts':
    'export const later = (word: string): RegExp => new RegExp(`${word}+$`);\nexport const use = (text: string) => later(text).test(text);\n',
  'src/handed-on.ts':
    "const make = (word: string): RegExp => new RegExp(word);\nexport const made = [make('a')];\nexport const all = { make };\n",
  'src/class.ts': 'export class Reader {\n  read(word: string): RegExp {\n    return RegExp(word);\n  }\n}\n',
  'src/renamed.ts': "const Pattern = RegExp;\nexport const made = new Pattern('a+$');\n",
  'src/text.ts': "export const found = 'a'.match('a+$');\n",
  'src/never.ts': "export const never = false ? new RegExp('a+$') : undefined;\n",
};

const EXCEPTION = { pattern: String.raw`/\s+$/u`, boundedBy: 'a limit', reason: 'it is short' };
const WITH_EXCEPTIONS = {
  'src/short.ts': SLOW,
  'src/long.ts': SLOW,
  'scripts/patterns/exceptions.json': JSON.stringify([
    { ...EXCEPTION, file: 'src/short.ts', maxCharacters: 1_000 },
    { ...EXCEPTION, file: 'src/long.ts', maxCharacters: 20_000 },
    { ...EXCEPTION, file: 'src/gone.ts', maxCharacters: 10 },
  ]),
};

let checked: ReturnType<typeof checkPlanted> | undefined;
/** A second for all of them: the check loads the compiler. */
const checkAll = () =>
  (checked ??= checkPlanted({ ...IN_EVERY_FOLDER, ...OUT_OF_SIGHT, ...WITH_EXCEPTIONS }));

/** That the program itself passes is a step of `npm run check`. */
describe('the check of all patterns', () => {
  it('finds a slow literal in every folder, and a slow pattern that is built of parts', () => {
    const { status, said } = checkAll();
    expect(status).toBe(1);
    for (const place of ['src/a.ts:2', 'channels/b.ts:1', String.raw`commands/c.ts:3 /\s*-?\s*x/u`])
      expect(said).toContain(place);
  });

  it('finds patterns that are built where it cannot look', () => {
    const { said } = checkAll();
    for (const file of [
      'later.ts:1',
      'handed-on.ts:1',
      'class.ts:3',
      'renamed.ts:1',
      'text.ts:1',
      'never.ts:1',
    ])
      expect(said).toContain(`src/${file}`);
  });

  it('takes an exception for a short text, none for a long one, and none that nothing needs', () => {
    const { said } = checkAll();
    expect(said).toContain('src/gone.ts: it is not there');
    expect(said).toContain('src/long.ts');
    expect(said).not.toContain('src/short.ts');
  });

  it('says how many it found, and finds no others', () => {
    expect(checkAll().said).toContain('\n12 of');
  });
});

/**
 * Fails on every regular expression of the program whose time grows faster than the text: literals and built ones.
 * `node scripts/check-patterns.ts [root]`
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { collectBuilt } from './patterns/built-patterns.ts';
import { findPatterns } from './patterns/find-patterns.ts';
import { keyOf, verdictsOf } from './patterns/pattern-verdicts.ts';

/** A pattern that is fast enough, because only so much text can reach it, and the code that ensures that. */
interface Exception {
  readonly file: string;
  /** `/source/flags`; or `code`, which builds the pattern at run time. */
  readonly pattern?: string;
  readonly code?: string;
  readonly maxCharacters: number;
  readonly boundedBy: string;
  readonly reason: string;
}

/** Some 20 ms of searching. */
const MAX_STEPS = 4_000_000;

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const exceptionsPath = join(root, 'scripts/patterns/exceptions.json');
const exceptions: readonly Exception[] = existsSync(exceptionsPath)
  ? JSON.parse(readFileSync(exceptionsPath, 'utf8'))
  : [];
const used = new Set<Exception>();
const exceptionFor = (place: string, what: Pick<Exception, 'pattern' | 'code'>): Exception | undefined => {
  const found = exceptions.find(
    ({ file, pattern, code }) =>
      place.startsWith(`${file}:`) &&
      (what.pattern === undefined ? code === what.code : pattern === what.pattern),
  );
  if (found) used.add(found);
  return found;
};

const { files, literals, constructions, problems } = findPatterns(root);
const built = await collectBuilt(root, files);
const verdicts = await verdictsOf([...literals, ...built], join(root, 'node_modules/.cache/patterns.json'));

const failures = [...problems];
const places = new Set(built.map(({ place }) => place));
for (const { place, code, problem } of constructions) {
  const why = problem ?? (places.has(place) ? undefined : 'was not built while its module was loaded');
  if (why === undefined || exceptionFor(place, { code })) continue;
  failures.push(
    `${place} builds a pattern that cannot be analysed: it ${why}. Build it when the module is loaded.`,
  );
}
for (const { place, ...pattern } of [...literals, ...built]) {
  const verdict = verdicts.get(keyOf(pattern));
  if (!verdict || verdict.status === 'linear') continue;
  const exception = exceptionFor(place, { pattern: keyOf(pattern) });
  // JSON cannot hold the degree of an exponential pattern, and no bound makes such a pattern harmless.
  const degree = verdict.degree ?? (verdict.status === 'undecided' ? 2 : Number.POSITIVE_INFINITY);
  if (exception && exception.maxCharacters ** degree <= MAX_STEPS) continue;
  failures.push(`${place} ${keyOf(pattern)}\n    ${verdict.status}: ${verdict.why}`);
}
for (const exception of exceptions)
  if (!used.has(exception))
    failures.push(
      `exceptions.json names ${exception.pattern ?? exception.code} in ${exception.file}: it is not there, or needs no exception`,
    );

if (failures.length > 0) {
  console.error([...new Set(failures)].join('\n'));
  console.error(
    `\n${new Set(failures).size} of ${verdicts.size} patterns may stall the program. See CONTRIBUTING.md.`,
  );
  process.exit(1);
}
console.log(
  `${literals.length} patterns and ${built.length} built ones take time in proportion to the text.`,
);
// Some of the loaded modules keep timers.
process.exit(0);

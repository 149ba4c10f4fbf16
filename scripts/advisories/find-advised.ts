/** The used part of a record in the OSV format. */
export interface Advisory {
  readonly id: string;
  readonly summary?: string;
  readonly withdrawn?: string;
  readonly affected?: readonly {
    readonly package?: { readonly ecosystem: string; readonly name: string };
    readonly versions?: readonly string[];
    readonly ranges?: readonly {
      readonly type: string;
      readonly events: readonly {
        readonly introduced?: string;
        readonly fixed?: string;
        readonly last_affected?: string;
      }[];
    }[];
  }[];
}

type Affected = NonNullable<Advisory['affected']>[number];

/** One record, a list of them, or one on each line. Throws for anything else. */
export const readAdvisories = (text: string): readonly Advisory[] => {
  const isOneDocument =
    /^\s*\[/u.test(text) || text.trim().split('\n', 2).length === 1 || /^\{\s*$/mu.test(text);
  const read: unknown = isOneDocument
    ? JSON.parse(text)
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line): unknown => JSON.parse(line));
  const all = [read].flat() as readonly Advisory[];
  for (const { id } of all) if (typeof id !== 'string') throw new Error('a record has no id');
  return all;
};

const VERSION = /^v?(?<main>\d+(?:\.\d+){0,2})(?:-(?<pre>[0-9A-Za-z.-]+))?(?:\+.*)?$/u;

const numbers = (main = '0'): readonly number[] => main.split('.').map(Number);

/** Below zero where `a` is older, by the rules of semantic versions. */
export const compareVersions = (a: string, b: string): number => {
  const [first, second] = [VERSION.exec(a)?.groups, VERSION.exec(b)?.groups];
  const [one, two] = [numbers(first?.['main']), numbers(second?.['main'])];
  for (let at = 0; at < 3; at += 1) {
    const apart = (one[at] ?? 0) - (two[at] ?? 0);
    if (apart !== 0) return apart;
  }
  const [pre, other] = [first?.['pre'], second?.['pre']];
  if (pre === undefined || other === undefined)
    return Number(pre === undefined) - Number(other === undefined);
  const [parts, others] = [pre.split('.'), other.split('.')];
  for (const [at, part] of parts.entries()) {
    const beside = others[at];
    if (beside === undefined) return 1;
    if (part === beside) continue;
    const areNumbers = /^\d+$/u.test(part) && /^\d+$/u.test(beside);
    if (areNumbers) return Number(part) - Number(beside);
    // Numbers come before words.
    if (/^\d+$/u.test(part) !== /^\d+$/u.test(beside)) return /^\d+$/u.test(part) ? -1 : 1;
    return part < beside ? -1 : 1;
  }
  return parts.length - others.length;
};

const isAffected = (version: string, { versions = [], ranges = [] }: Affected): boolean =>
  versions.includes(version) ||
  ranges.some(({ type, events }) => {
    if (type !== 'SEMVER' && type !== 'ECOSYSTEM') return false;
    let isIn = false;
    for (const { introduced, fixed, last_affected: last } of events) {
      if (introduced !== undefined && (introduced === '0' || compareVersions(version, introduced) >= 0))
        isIn = true;
      if (fixed !== undefined && compareVersions(version, fixed) >= 0) isIn = false;
      if (last !== undefined && compareVersions(version, last) > 0) isIn = false;
    }
    return isIn;
  });

interface Advised {
  readonly name: string;
  readonly version: string;
  readonly isDev: boolean;
  readonly advisory: Advisory;
}

/** The locked packages that an advisory concerns, in the order of the lock file. */
export const findAdvised = (
  packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>,
  advisories: readonly Advisory[],
): readonly Advised[] => {
  const byName = Map.groupBy(
    advisories
      .filter(({ withdrawn }) => withdrawn === undefined)
      .flatMap((advisory) => (advisory.affected ?? []).map((affected) => ({ advisory, affected })))
      .filter(({ affected }) => affected.package?.ecosystem.toLowerCase() === 'npm'),
    ({ affected }) => affected.package?.name ?? '',
  );
  return Object.entries(packages).flatMap(([path, { version, dev = false }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (path === '' || version === undefined) return [];
    const concerned = (byName.get(name) ?? []).filter(({ affected }) => isAffected(version, affected));
    return [...new Set(concerned.map(({ advisory }) => advisory))].map((advisory) => ({
      name,
      version,
      isDev: dev,
      advisory,
    }));
  });
};

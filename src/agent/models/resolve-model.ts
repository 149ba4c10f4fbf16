import { editDistance } from '#src/platform/text/edit-distance.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { ModelRef, ProviderId } from '#src/kernel/agent/model.ts';
import type { ModelCatalog, ModelEntry } from './catalog.ts';

/** All names of all models, in lower case. */
export type AliasIndex = ReadonlyMap<string, ModelEntry>;

interface AliasIndexOptions {
  /** Configured aliases: alias → model id or built-in alias. */
  readonly extraAliases?: Readonly<Record<string, string>>;
  /** Called if two models claim the same name; the first keeps it. */
  readonly onDuplicate: (alias: string, kept: ModelEntry, ignored: ModelEntry) => void;
}

type Name = readonly [name: string, entry: ModelEntry];

const buildIndex = (names: readonly Name[], onDuplicate: AliasIndexOptions['onDuplicate']): AliasIndex => {
  const index = new Map<string, ModelEntry>();
  for (const [name, entry] of names) {
    const alias = normalizeModelName(name);
    if (alias === '') continue;
    const kept = index.get(alias);
    if (kept === undefined) index.set(alias, entry);
    else if (kept.id !== entry.id) onDuplicate(alias, kept, entry);
  }
  return index;
};

/**
 * Precedence of names: ids first, so that an id always means its model; then the operator's aliases, so that
 * `opus` can be redefined; then built-in aliases. Throws `MODEL_UNKNOWN` for an alias to no model.
 */
export const buildModelAliasIndex = (catalog: ModelCatalog, options: AliasIndexOptions): AliasIndex => {
  const models = catalog.listModels();
  const ids = models.map((entry): Name => [entry.id, entry]);
  const aliases = models.flatMap((entry) => entry.aliases.map((alias): Name => [alias, entry]));
  const builtIn = buildIndex([...ids, ...aliases], () => {});
  const extra = Object.entries(options.extraAliases ?? {}).map(([alias, target]): Name => {
    const entry = catalog.getModel(target) ?? builtIn.get(normalizeModelName(target));
    if (entry === undefined) throw unknownModel(target, builtIn, `models.aliases.${alias}: `);
    return [alias, entry];
  });
  return buildIndex([...ids, ...extra, ...aliases], options.onDuplicate);
};

/** A model name as typed: an id, an alias, or a typo. */
export interface UnresolvedModelRef {
  readonly raw: string;
}

export interface ResolvedModel {
  readonly entry: ModelEntry;
  readonly provider: ProviderId;
  readonly modelId: string;
  readonly resolvedFrom: 'id' | 'alias' | 'default';
  /** The chosen model, if it is more reliable with numbers than this fallback. */
  readonly standsInFor?: ModelEntry;
}

const MAX_NEAR = 3;
/** A single letter occurs in nearly every name. */
const MIN_PART_LENGTH = 2;
const MAX_SHOWN_LENGTH = 60;

/** Ranks above any number of typos. */
const SAME_BEGINNING = 10;
const PART_OF_IT = 20;

/** Names are compared without case and surrounding spaces. */
export const normalizeModelName = (raw: string): string => raw.toLowerCase().trim();

const farness = (typed: string, name: string): number => {
  const allowed = typed.length <= 3 ? 1 : 2;
  const mistakes = editDistance(typed, name, allowed);
  // As many typos as letters means another word.
  if (mistakes <= allowed && mistakes < Math.min(typed.length, name.length)) return mistakes;
  if (Math.min(typed.length, name.length) < MIN_PART_LENGTH) return Infinity;
  if (name.startsWith(typed) || typed.startsWith(name)) return SAME_BEGINNING;
  return name.includes(typed) || typed.includes(name) ? PART_OF_IT : Infinity;
};

/** Suggestions, nearest first: at most three names, each of another model. */
export const nearModels = (raw: string, index: AliasIndex): readonly string[] => {
  const typed = normalizeModelName(raw);
  const ranked = [...index]
    .map(([name, { id }]) => ({ name, id, farness: farness(typed, name) }))
    .filter((candidate) => candidate.farness < Infinity)
    .toSorted(
      (a, b) =>
        a.farness - b.farness ||
        Math.abs(a.name.length - typed.length) - Math.abs(b.name.length - typed.length),
    );
  return ranked
    .filter(({ id }, place) => ranked.findIndex((better) => better.id === id) === place)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
};

/** The error for an unknown name, with suggestions. */
const unknownModel = (raw: string, index: AliasIndex, where = ''): FinClawError => {
  const near = nearModels(raw, index);
  const current = new Set([...index.values()].filter((entry) => !entry.deprecated).map(({ id }) => id));
  const names = near.length > 0 ? near : [...current];
  const shown = JSON.stringify(raw.length > MAX_SHOWN_LENGTH ? `${raw.slice(0, MAX_SHOWN_LENGTH)}…` : raw);
  const advice = names.length > 0 ? `use one of ${names.join(', ')}` : 'the catalog is empty';
  return new FinClawError(`${where}There is no model ${shown}: ${advice}`, 'MODEL_UNKNOWN', {
    statusCode: 404,
    details: { near },
  });
};

export const resolvedAs = (
  entry: ModelEntry,
  resolvedFrom: ResolvedModel['resolvedFrom'],
): ResolvedModel => ({
  entry,
  provider: entry.provider,
  modelId: entry.id,
  resolvedFrom,
});

/**
 * Resolves by exact id, then by alias, then to the default if there is one. Throws `MODEL_UNKNOWN` with
 * suggestions.
 */
export const resolveModel = (
  ref: UnresolvedModelRef,
  catalog: ModelCatalog,
  aliasIndex: AliasIndex,
  defaultModelId?: string,
): ResolvedModel => {
  const byId = catalog.getModel(ref.raw);
  if (byId) return resolvedAs(byId, 'id');
  const byAlias = aliasIndex.get(normalizeModelName(ref.raw));
  if (byAlias) return resolvedAs(byAlias, 'alias');
  const byDefault = defaultModelId === undefined ? undefined : catalog.getModel(defaultModelId);
  if (byDefault) return resolvedAs(byDefault, 'default');
  throw unknownModel(ref.raw, aliasIndex);
};

/** The part of a model entry that a provider needs. */
export const toModelRef = (entry: ModelEntry): ModelRef => ({
  provider: entry.provider,
  model: entry.id,
});

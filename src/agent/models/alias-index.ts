import type { ModelCatalog, ModelEntry } from './catalog.ts';
import { normalizeModelName, unknownModel } from './selection.ts';

/** Every name of every model, in lower case. */
export type AliasIndex = ReadonlyMap<string, ModelEntry>;

export interface AliasIndexOptions {
  /** Of the configuration: alias → the id or a built-in alias of a model. */
  readonly extraAliases?: Readonly<Record<string, string>>;
  /** Two models want the same name; the first keeps it. */
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
 * Names win in this order: ids, so that an id means its model in any spelling; the operator's aliases, so that
 * `opus` can be pointed elsewhere; built-in aliases. Throws `MODEL_UNKNOWN` for an alias to no model.
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

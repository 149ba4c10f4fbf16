import type { Intersection } from '#src/kernel/intersection.ts';
import { lazyAnswers, type Loaded } from '#src/platform/lazy-answers.ts';
import type { Feature, MarketQueryDeps } from '../feature.ts';
import * as features from '../index.ts';

type Features = (typeof features)[keyof typeof features];
/** An ability without queries has none with a name. */
type QueriesOf<Each> = Each extends { readonly queries: infer Queries }
  ? string extends keyof Queries
    ? never
    : Queries
  : never;

/** Every market query that a feature registers. */
export type MarketQueries = Loaded<Intersection<QueriesOf<Features>>>;

const registered: readonly Feature[] = Object.values(features);

export const createMarketQueries = (open: () => Promise<MarketQueryDeps>): MarketQueries =>
  lazyAnswers(open, Object.assign({}, ...registered.map(({ queries }) => queries)));

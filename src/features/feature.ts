import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { ChannelId } from '#src/kernel/ids.ts';
import type { MarketQuery } from '#src/kernel/chat/answer.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import type { Uses } from '#src/platform/services.ts';
import type { FeatureUses } from '#src/features/services.ts';
import type { Charts } from '#src/markets/charts/charts.ts';
import type { Market } from '#src/markets/sources/source.ts';

/** Every market query is created with these, when it is first asked. */
export interface MarketQueryDeps extends FeatureUses<'clock' | 'logger' | 'symbols' | 'market'> {
  readonly charts: Charts;
  /** Whether the channel shows recent closes below a price. Absent: none does. */
  readonly showsSparklines?: ((channelId: ChannelId) => boolean) | undefined;
}

/** What a query needs: only those methods of the market and of the index that it calls. */
export type QueryDeps<Method extends keyof Market, Others extends keyof MarketQueryDeps = never> = Pick<
  MarketQueryDeps,
  Others
> &
  Uses<'symbols.resolve' | 'symbols.findListing'> & { readonly market: Pick<Market, Method> };

export type FeatureQueries = Readonly<
  Record<string, () => Promise<(deps: MarketQueryDeps) => MarketQuery<never>>>
>;

/** A feature registers its market queries and its tools under their names. Its folder's `index.ts` exports it. */
export interface Feature {
  /** The code behind a query is imported with the first question, so that an idle bot does not pay for it. */
  readonly queries?: FeatureQueries;
  /** The key is the tool's name. */
  readonly tools: Readonly<Record<string, (deps: never) => Tool>>;
  readonly command?: {
    readonly definition: CommandDefinition;
    readonly create: (deps: never) => Command;
  };
}

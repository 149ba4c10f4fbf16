import type { Config } from '../platform/config/config.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { createMarkupReader } from '#src/platform/text/platform-markup.ts';
import type { ChannelDefinition, ChannelDeps } from '../platform/channel-definition.ts';

/** Opens the channels that are turned on, or the terminal where none is. A channel loads its SDK only then. */
export const openChannels = (
  channels: readonly ChannelDefinition[],
  { platforms, locale }: Pick<Config, 'platforms' | 'locale'>,
  deps: Omit<ChannelDeps, 'locale' | 'stripMentions'>,
): Promise<readonly ChannelPlugin[]> => {
  const turnedOn = channels.filter(({ id }) => platforms[id] !== undefined);
  const opened = turnedOn.length > 0 ? turnedOn : channels.filter(({ isFallback }) => isFallback);
  const { stripMentions } = createMarkupReader(channels.flatMap(({ markup }) => markup ?? []));
  return Promise.all(
    opened.map(({ id, create }) =>
      create(platforms[id] ?? {}, { ...deps, logger: deps.logger.named(id), locale, stripMentions }),
    ),
  );
};

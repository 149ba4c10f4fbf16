import { commandDefinitions } from '#commands/index.ts';
import { builtInModelNames } from '../agent/plugin-models.ts';
import { BUILT_IN_TOOL_NAMES } from '../agent/toolbox.ts';
import { FINANCE_TOOL_NAMES } from '#src/features/open/tools.ts';
import type { ChannelDefinition } from '../platform/channel-definition.ts';
import type { Config } from '../platform/config/config.ts';
import { createHooks } from '../platform/plugins/hook-runner.ts';
import { loadPlugins, type PluginLoaderDeps } from '../platform/plugins/plugin-loader.ts';

/** Runs before the models are opened, because a setting may name a model of a plugin. Never rejects. */
export const openPlugins = async (
  config: Pick<Config, 'plugins' | 'dataDir' | 'engine'>,
  {
    platforms,
    ...base
  }: Pick<PluginLoaderDeps, 'clock' | 'events' | 'logger'> & {
    readonly platforms: readonly Pick<ChannelDefinition, 'commandNames'>[];
  },
) => {
  const hooks = createHooks(base.logger, base.clock);
  const plugins = await loadPlugins({
    ...base,
    hooks,
    paths: config.plugins,
    baseDir: config.dataDir,
    taken: {
      tool: [...FINANCE_TOOL_NAMES, ...BUILT_IN_TOOL_NAMES],
      command: [
        ...platforms.flatMap(({ commandNames }) => commandNames ?? []),
        ...commandDefinitions.flatMap(({ name, aliases }) => [name, ...aliases]),
      ],
      model: builtInModelNames(config.engine),
    },
  });
  return { ...plugins, hooks };
};

import { commandDefinitions } from '#commands/index.ts';
import { builtInModelNames } from './agent/models/plugin-models.ts';
import { BUILT_IN_TOOL_NAMES } from './agent/toolbox.ts';
import { FINANCE_TOOL_NAMES } from './features/tools.ts';
import type { Command } from './kernel/command.ts';
import type { PluginModel } from './kernel/plugin.ts';
import type { Tool } from './kernel/tool.ts';
import type { Config } from './platform/config/config.ts';
import { type LoadedPlugins, loadPlugins, type PluginLoaderDeps } from './platform/plugins/plugin-loader.ts';

/** The plugins, and what they add to the program. */
export interface Plugins extends LoadedPlugins {
  readonly tools: readonly Tool[];
  readonly commands: readonly Command[];
  readonly models: readonly PluginModel[];
}

/** Command names that channels have taken. */
const CHANNEL_COMMANDS = ['ask', '질문', 'finclaw'];

/** Runs before the models are opened, because a setting may name a model of a plugin. Never rejects. */
export const openPlugins = async (
  config: Pick<Config, 'plugins' | 'dataDir' | 'engine'>,
  base: Pick<PluginLoaderDeps, 'hooks' | 'clock' | 'events' | 'logger'>,
): Promise<Plugins> => {
  const tools: Tool[] = [];
  const commands: Command[] = [];
  const models: PluginModel[] = [];
  const toolNames = new Set([...FINANCE_TOOL_NAMES, ...BUILT_IN_TOOL_NAMES]);
  const commandNames = new Set([
    ...CHANNEL_COMMANDS,
    ...commandDefinitions.flatMap(({ name, aliases }) => [name, ...aliases]),
  ]);
  const modelNames = new Set(builtInModelNames(config.engine));
  const loaded = await loadPlugins({
    ...base,
    paths: config.plugins,
    baseDir: config.dataDir,
    hasTool: (name) => toolNames.has(name),
    registerTool: (tool) => {
      tools.push(tool);
      toolNames.add(tool.definition.name);
    },
    hasCommand: (name) => commandNames.has(name),
    registerCommand: (command) => {
      commands.push(command);
      for (const name of [command.definition.name, ...command.definition.aliases]) commandNames.add(name);
    },
    hasModel: (name) => modelNames.has(name),
    registerModel: (model) => {
      models.push(model);
      for (const name of [model.id, ...(model.aliases ?? [])]) modelNames.add(name.toLowerCase());
    },
  });
  return { ...loaded, tools, commands, models };
};

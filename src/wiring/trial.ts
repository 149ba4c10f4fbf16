import { type OpenedModels, openModels } from '../agent/open-models.ts';
import { openToolbox } from '../agent/toolbox.ts';
import { nobodyToAsk } from '../agent/tools/approvals.ts';
import { createGeneralTools, type GeneralToolDeps } from '../agent/tools/general/index.ts';
import { createFinanceTools, type FinanceToolDeps } from '#src/features/open/tools.ts';
import type { Config } from '../platform/config/config.ts';
import { createEvents } from '../platform/events.ts';
import { createHooks } from '../platform/plugins/hook-runner.ts';
import type { Plugins } from '../platform/plugins/plugin-loader.ts';
import type { Uses } from '#src/platform/services.ts';
import type { AuthProfileRow } from '../agent/store/auth-profiles.ts';

/** The names and sizes of the tools matter here. None is run. */
const NOTHING_BEHIND = {} as FinanceToolDeps & GeneralToolDeps;

export interface TrialDeps extends Uses<'clock' | 'logger'> {
  readonly plugins: () => Promise<Pick<Plugins, 'tools' | 'models'>>;
  readonly savedKeys: readonly AuthProfileRow[];
}

/**
 * Opens tools, skills, keys and models as a start does, with nothing behind them: nothing is stored, made or watched.
 * Throws what refuses the start.
 */
export const openTrial = async (
  config: Config,
  { plugins, savedKeys, clock, logger }: TrialDeps,
): Promise<OpenedModels> => {
  const { tools, models } = await plugins();
  const events = createEvents(() => undefined);
  const toolbox = await openToolbox({
    settings: config,
    dataDir: config.dataDir,
    isTrial: true,
    approvals: nobodyToAsk,
    hooks: createHooks(logger, clock),
    clock,
    events,
    logger: logger.named('tools'),
  });
  toolbox.registerTools(
    [...createFinanceTools(NOTHING_BEHIND), ...createGeneralTools(NOTHING_BEHIND)],
    tools,
  );
  return openModels({
    settings: config.engine,
    pluginModels: models,
    locale: config.locale,
    savedKeys: {
      list: async () => savedKeys,
      insert: async () => undefined,
      update: async () => false,
      delete: async () => false,
    },
    sessions: { getModel: async () => undefined, setModel: async () => undefined },
    tools: toolbox.registry,
    skills: toolbox.skills,
    profiles: { get: async () => ({}) },
    clock,
    events,
    logger,
  });
};

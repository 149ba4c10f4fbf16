import type { Config } from '#src/platform/config/config.ts';
import { createEngine } from '#src/agent/engine.ts';
import { classifyFallbackError } from '#src/agent/errors.ts';
import { openModels } from '#src/agent/open-models.ts';
import { createTranscriptRows } from '#src/platform/storage/messages/transcript-rows.ts';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { openToolbox } from '#src/agent/toolbox.ts';
import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import { createGeneralTools, type GeneralToolDeps } from '#src/agent/tools/general/index.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { createFinanceTools, type FinanceToolDeps } from '#src/features/tools.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { systemClock } from '#src/platform/clock.ts';
import { createEvents } from '#src/platform/events.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { createLogger, type FinClawLogger } from '#src/platform/logger.ts';
import { openPlugins } from '#src/open-plugins.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { bad, note, ok } from './check.ts';

/** Says why a key was refused, and what to do about it. */
const keyTrouble = (error: unknown): string => {
  const reason = classifyFallbackError(error);
  if (reason === 'auth')
    return 'is not accepted: copy it again from the console of the provider, or make a new one';
  if (reason === 'billing') return 'is accepted, but there is no credit: add some at the provider';
  if (reason === 'rate-limit') return 'is at its limit just now';
  return `could not be tried: ${errorMessage(error)}`;
};

/** The doctor needs only the names and sizes of the tools, for rules and windows. It never runs them. */
const NOTHING_BEHIND = {} as FinanceToolDeps & GeneralToolDeps;

/** Sets up models and keys as a start would, and tries every key once with its provider. */
export const checkEngine = async (
  config: Config,
  storage: Storage,
  hide: (secret: string) => void,
): Promise<readonly Finding[]> => {
  const warnings: string[] = [];
  const base = createLogger({
    level: 'warn',
    pretty: false,
    secrets: config.secrets,
    write: (line) => void warnings.push((JSON.parse(line) as { readonly msg: string }).msg),
  });
  const logger: FinClawLogger = {
    ...base,
    hide: (secret) => {
      hide(secret);
      base.hide(secret);
    },
  };
  const events = createEvents(() => undefined);
  const clock = systemClock;
  const hooks = createHooks(logger, clock);
  const { loaded, failed, tools, models } = await openPlugins(config, {
    hooks,
    clock,
    events,
    // The failures are printed once, below.
    logger: { ...logger, error: () => undefined },
  });
  const plugins = [
    ...loaded.map((name) => ok(`Plugin: ${name}`)),
    ...failed.map(({ path, error }) => bad(`Plugin ${path} cannot be used: ${errorMessage(error)}`)),
  ];
  try {
    const toolbox = await openToolbox({
      settings: config,
      dataDir: config.dataDir,
      approvals: nobodyToAsk,
      hooks,
      clock,
      events,
      logger,
    });
    toolbox.registerTools(
      [...createFinanceTools(NOTHING_BEHIND), ...createGeneralTools(NOTHING_BEHIND)],
      tools,
    );
    toolbox.skills.stop();
    const opened = await openModels({
      settings: config.engine,
      pluginModels: models,
      locale: config.locale,
      storage,
      tools: toolbox.registry,
      skills: toolbox.skills,
      profiles: { get: async () => ({}) },
      clock,
      events,
      logger,
    });
    const engine = await createEngine({
      settings: config.engine,
      models: opened,
      files: createSentFiles({ dataDir: config.dataDir, clock: systemClock }),
      storage,
      isExclusive: config.databaseUrl === undefined,
      transcripts: createTranscriptStore(createTranscriptRows(storage), clock, logger),
      executeTool: toolbox.execute,
      tools: toolbox.registry,
      hooks,
      readSentence: async () => ({ calls: [] }),
      isInstrument: () => false,
      steering: { take: async () => [] },
      clock,
      events,
      logger,
    });
    opened.checkWindows();
    const { name, isOffline } = opened.describeDefault();
    const trials = await engine.tryKeys(new AbortController().signal);
    return [
      isOffline
        ? note('Model: offline (simple questions only); set ANTHROPIC_API_KEY or OPENAI_API_KEY')
        : ok(`Model: ${name}`),
      ...(isOffline || Object.keys(config.platforms).length === 0 || engine.transcriber.isReady()
        ? []
        : [note('Voice messages are not transcribed: that needs OPENAI_API_KEY, as Claude does not')]),
      ...opened.describeWindows().map((text) => ok(text)),
      ...plugins,
      ...warnings.map((text) => note(text)),
      ...trials.map(({ key, error }) => {
        const text = `Key ${key.masked} (${key.provider}, ${key.name})`;
        return error === undefined ? ok(`${text} is accepted`) : bad(`${text} ${keyTrouble(error)}`);
      }),
    ];
  } catch (error) {
    return [...plugins, bad(errorMessage(error))];
  }
};

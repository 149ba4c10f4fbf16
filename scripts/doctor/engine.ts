import type { Config } from '#src/platform/config/config.ts';
import { createEngine } from '#src/agent/engine.ts';
import { classifyFallbackError } from '#src/agent/errors.ts';
import { openModels } from '#src/agent/open-models.ts';
import { createTranscriptRows } from '#src/platform/storage/messages/transcript-rows.ts';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { openToolbox } from '#src/agent/toolbox.ts';
import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import { createGeneralTools, type GeneralToolDeps } from '#src/agent/tools/general/index.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { KEYED_PROVIDERS } from '#src/kernel/model.ts';
import { createFinanceTools, type FinanceToolDeps } from '#src/features/tools.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { systemClock } from '#src/platform/clock.ts';
import { createEvents } from '#src/platform/events.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { createLogger, type FinClawLogger } from '#src/platform/logger.ts';
import { openPlugins } from '#src/open-plugins.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { bad, type CheckFinding, note, ok } from './check.ts';

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

/** Stable ids, for programs that read the report. */
type Subject = 'plugins' | 'tools' | 'models' | 'windows' | 'voice' | 'keys';

const about = (id: Subject, finding: Finding): CheckFinding => ({ ...finding, id });

/** Keys are opened together with the models, and their errors and warnings are told apart by these. */
const KEY_ERROR = /^SECRET_KEY_/;
const KEY_WARNING = /^Saved keys? /;

interface EngineCheck {
  readonly config: Config;
  readonly storage: Storage;
  readonly hide: (secret: string) => void;
  /** Has the folder of the operator's skills; it is made there if it is missing. */
  readonly home: string;
}

/** Sets up models and keys as a start would, and tries every key once with its provider. */
export const checkEngine = async ({
  config,
  storage,
  hide,
  home,
}: EngineCheck): Promise<readonly CheckFinding[]> => {
  const warnings: CheckFinding[] = [];
  /** What is being set up. */
  let subject: Subject = 'plugins';
  const base = createLogger({
    level: 'warn',
    pretty: false,
    secrets: config.secrets,
    write: (line) => {
      const { msg } = JSON.parse(line) as { readonly msg: string };
      warnings.push(about(KEY_WARNING.test(msg) ? 'keys' : subject, note(msg)));
    },
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
    ...loaded.map((name) => about('plugins', ok(`Plugin: ${name}`))),
    ...failed.map(({ path, error }) =>
      about('plugins', bad(`Plugin ${path} cannot be used: ${errorMessage(error)}`)),
    ),
  ];
  try {
    subject = 'tools';
    const toolbox = await openToolbox({
      settings: config,
      dataDir: home,
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
    subject = 'models';
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
      files: createSentFiles({ dataDir: home, clock: systemClock }),
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
    subject = 'windows';
    opened.checkWindows();
    subject = 'keys';
    const { name, isOffline } = opened.describeDefault();
    // With keys, a warning of the models says what else is missing.
    const toSet = KEYED_PROVIDERS.some(opened.keys.knowsKey)
      ? ''
      : '; set ANTHROPIC_API_KEY or OPENAI_API_KEY';
    const trials = await engine.tryKeys(new AbortController().signal);
    return [
      about(
        'models',
        isOffline ? note(`Model: offline (simple questions only)${toSet}`) : ok(`Model: ${name}`),
      ),
      ...(isOffline || Object.keys(config.platforms).length === 0 || engine.transcriber.isReady()
        ? []
        : [
            about(
              'voice',
              note('Voice messages are not transcribed: that needs OPENAI_API_KEY, as Claude does not'),
            ),
          ]),
      ...opened.describeWindows().map((text) => about('windows', ok(text))),
      ...plugins,
      ...warnings,
      ...trials.map(({ key, error }) => {
        const text = `Key ${key.masked} (${key.provider}, ${key.name})`;
        return about(
          'keys',
          error === undefined ? ok(`${text} is accepted`) : bad(`${text} ${keyTrouble(error)}`),
        );
      }),
    ];
  } catch (error) {
    const isOfKeys = error instanceof FinClawError && KEY_ERROR.test(error.code);
    return [...plugins, about(isOfKeys ? 'keys' : subject, bad(errorMessage(error)))];
  }
};

import type { Config } from '#src/platform/config/config.ts';
import { classifyFallbackError } from '#src/agent/errors.ts';
import { tryKeys } from '#src/agent/providers/try-keys.ts';
import { offline } from '#src/agent/offline/offline-provider.ts';
import type { OpenedModels } from '#src/agent/open-models.ts';
import { createProviders } from '#src/agent/providers/providers.ts';
import { canTranscribe } from '#src/agent/transcriber.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { KEYED_PROVIDERS } from '#src/kernel/agent/model.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import type { Plugins } from '#src/platform/plugins/plugin-loader.ts';
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

/** Stable ids, for programs that read the report. */
type Subject = 'plugins' | 'tools' | 'models' | 'windows' | 'voice' | 'keys';

const about = (id: Subject, finding: Finding): CheckFinding => ({ ...finding, id });

/** A line that the start would log. */
export interface Warning {
  readonly msg: string;
  readonly logger: string;
}

/** One logger is for keys, models and windows. */
const KEY_WARNING = /^Saved keys? /;
const WINDOW_WARNING = / has no room for a conversation/;

const subjectOf = ({ msg, logger }: Warning): Subject => {
  if (KEY_WARNING.test(msg)) return 'keys';
  if (WINDOW_WARNING.test(msg)) return 'windows';
  return logger === 'tools' ? 'tools' : 'models';
};

export const pluginFindings = ({
  loaded,
  failed,
}: Pick<Plugins, 'loaded' | 'failed'>): readonly CheckFinding[] => [
  ...loaded.map((name) => about('plugins', ok(`Plugin: ${name}`))),
  ...failed.map(({ path, error }) =>
    about('plugins', bad(`Plugin ${path} cannot be used: ${errorMessage(error)}`)),
  ),
];

interface EngineFacts {
  readonly config: Config;
  readonly models: OpenedModels;
  readonly plugins: readonly CheckFinding[];
  readonly warnings: readonly Warning[];
}

/** Says what a start would set up, and tries every key once with its provider. */
export const describeEngine = async ({
  config,
  models,
  plugins,
  warnings,
}: EngineFacts): Promise<readonly CheckFinding[]> => {
  const { keys } = models;
  const { name, isOffline } = models.describeDefault();
  // With keys, a warning of the models says what else is missing.
  const toSet = KEYED_PROVIDERS.some(keys.knowsKey) ? '' : '; set ANTHROPIC_API_KEY or OPENAI_API_KEY';
  const { providers: settings, voice } = config.engine;
  const isHeard = canTranscribe({ settings: voice, api: settings.openai.api }, keys);
  const providers = createProviders({
    settings,
    offline: offline({ readSentence: async () => ({ calls: [] }) }),
    clock: systemClock,
    onBreakerChange: () => undefined,
  });
  const trials = await tryKeys({ keys, providers, clock: systemClock }, new AbortController().signal);
  return [
    about(
      'models',
      isOffline ? note(`Model: offline (simple questions only)${toSet}`) : ok(`Model: ${name}`),
    ),
    ...(isOffline || Object.keys(config.platforms).length === 0 || isHeard
      ? []
      : [
          about(
            'voice',
            note('Voice messages are not transcribed: that needs OPENAI_API_KEY, as Claude does not'),
          ),
        ]),
    ...models.describeWindows().map((text) => about('windows', ok(text))),
    ...plugins,
    ...warnings.map((warning) => about(subjectOf(warning), note(warning.msg))),
    ...trials.map(({ key, error }) => {
      const text = `Key ${key.masked} (${key.provider}, ${key.name})`;
      return about(
        'keys',
        error === undefined ? ok(`${text} is accepted`) : bad(`${text} ${keyTrouble(error)}`),
      );
    }),
  ];
};

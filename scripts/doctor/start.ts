import { CHANNELS } from '#channels/index.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { openPlugins } from '#src/wiring/plugins.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import type { Config } from '#src/platform/config/config.ts';
import { askControl } from '#src/platform/net/control-socket.ts';
import { createEvents } from '#src/platform/events.ts';
import { requireFreePort } from '#src/platform/net/listen.ts';
import { createLogger, type FinClawLogger } from '#src/platform/logging/logger.ts';
import { createStartChecks, listeningChannels, type StartCheckId } from '#src/wiring/start-checks.ts';
import { bad, type CheckFinding, note, ok } from './check.ts';
import { describeEngine, pluginFindings, type Warning } from './engine.ts';
import { checkBackups, checkDataDir } from './machine.ts';
import { checkPort } from './port.ts';
import { checkChannels } from './settings.ts';
import { checkDatabase } from './storage.ts';

/** Wrong in itself, which the check of the keys says already. */
const KEY_CODES: ReadonlySet<string> = new Set(['SECRET_KEY_INVALID', 'SECRET_KEY_WEAK']);

const codeOf = (error: unknown): string => (error instanceof FinClawError ? error.code : '');

const said = (refusal: unknown): readonly Finding[] =>
  refusal === undefined ? [] : [bad(errorMessage(refusal))];

/** A bot of this data directory listens on it, whatever it thinks of the question. */
const isRunning = async ({ dataDir }: Config): Promise<boolean> =>
  (await askControl(dataDir, {})).status !== 'absent';

const checkListening = async (config: Config, refusal: unknown): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const { id, advice, ...place } of listeningChannels(config, CHANNELS)) {
    const error =
      refusal ??
      (await requireFreePort(place, advice).then(
        () => undefined,
        (reason: unknown) => reason,
      ));
    if (error === undefined) continue;
    if (await isRunning(config))
      findings.push(ok(`The running FinClaw listens on port ${place.port} for ${id}`));
    else
      findings.push(
        refusal ? bad(errorMessage(error)) : note(`${id} could not start: ${errorMessage(error)}`),
      );
  }
  return findings;
};

/** Where a saved key cannot be read, a model may have one all the same. */
const modelTrouble = (refusal: unknown, hasUnreadKeys: boolean): CheckFinding => {
  const code = codeOf(refusal);
  const text = errorMessage(refusal);
  if (code === 'MODEL_WITHOUT_KEY' && hasUnreadKeys)
    return note(`Unless there is a saved key, which could not be looked up: ${text}`);
  if (code.startsWith('SECRET_KEY_')) return { ...bad(text), id: 'keys' };
  return code === 'WINDOW_TOO_SMALL' ? { ...bad(text), id: 'windows' } : bad(text);
};

/**
 * Goes through the checks of a start, and says more about what they looked at. `hide` is called with secrets that they
 * come across.
 */
export const openStart = (config: Config, hide: (secret: string) => void) => {
  const warnings: Warning[] = [];
  const base = createLogger({
    level: 'warn',
    pretty: false,
    secrets: config.secrets,
    write: (line) => warnings.push(JSON.parse(line) as Warning),
  });
  const hiding = (logger: FinClawLogger): FinClawLogger => ({
    ...logger,
    hide: (secret) => {
      hide(secret);
      logger.hide(secret);
    },
    named: (name) => hiding(logger.named(name)),
  });
  const logger = hiding(base);
  const clock = systemClock;
  const opening = openPlugins(config, {
    platforms: CHANNELS,
    clock,
    events: createEvents(() => undefined),
    // The failures are printed once, by the check of the models.
    logger: { ...logger, error: () => undefined },
  });
  const start = createStartChecks(config, { plugins: () => opening, channels: CHANNELS, clock, logger });
  const refusals = new Map(
    start.all.map(({ id, run }) => [
      id,
      run().then(
        () => undefined,
        (error: unknown) => error ?? new Error(`The check ${id} failed`),
      ),
    ]),
  );
  const refusalOf = (id: StartCheckId): Promise<unknown> => refusals.get(id) ?? Promise.resolve();

  const details: Readonly<
    Record<StartCheckId, (refusal: unknown) => readonly CheckFinding[] | Promise<readonly CheckFinding[]>>
  > = {
    configuration: said,
    keys: said,
    'data-directory': (refusal) => [...said(refusal), ...checkDataDir(config)],
    backups: async (refusal) => {
      if (refusal !== undefined) return said(refusal);
      return (await refusalOf('data-directory')) === undefined ? checkBackups(config) : [];
    },
    'health-port': (refusal) => checkPort(config, refusal),
    channels: async (refusal) => [...(await checkListening(config, refusal)), ...checkChannels(config)],
    database: async (refusal) => {
      if (KEY_CODES.has(codeOf(refusal)) || (await refusalOf('data-directory')) !== undefined) return [];
      return checkDatabase(config, refusal === undefined ? await start.database() : { refusal });
    },
    models: async (refusal) => {
      const plugins = pluginFindings(await opening);
      if (refusal === undefined)
        return describeEngine({ config, models: await start.models(), plugins, warnings });
      const hasUnreadKeys =
        config.engine.secretKeys.length > 0 && (await refusalOf('database')) !== undefined;
      return [...plugins, ...(KEY_CODES.has(codeOf(refusal)) ? [] : [modelTrouble(refusal, hasUnreadKeys)])];
    },
  };
  return async (id: StartCheckId): Promise<readonly CheckFinding[]> => details[id](await refusalOf(id));
};

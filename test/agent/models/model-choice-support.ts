import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { InMemoryModelCatalog, type ModelEntry } from '#src/agent/models/catalog.ts';
import { createModelChoice } from '#src/agent/models/model-choice.ts';
import { buildModelAliasIndex, type ResolvedModel } from '#src/agent/models/resolve-model.ts';
import { OFFLINE_MODEL } from '#src/agent/offline/offline-provider.ts';
import type { AgentTable } from '#src/kernel/agent/agent-settings.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import type { ProviderId } from '#src/kernel/agent/model.ts';
import { createSessionSettings } from '#src/agent/store/session-settings.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

export const MINA = asId<SessionKey>('agent:main:slack:T1:direct:mina');
export const ADMIN = { isAdmin: true };
export const ANYBODY = { isAdmin: false };

export const JOON = asId<SessionKey>('agent:main:slack:T1:direct:joon');

interface Options {
  readonly model?: string;
  readonly fallbacks?: readonly string[];
  readonly agents?: AgentTable;
  readonly choices?: readonly string[];
  readonly keys?: readonly ProviderId[];
  /** Providers whose keys are all switched off: known, but of no use. */
  readonly switchedOff?: readonly ProviderId[];
  /** Models that the server does not serve, though there is a key. */
  readonly unserved?: readonly string[];
  readonly catalog?: readonly ModelEntry[];
}

export const idsOf = (models: readonly ResolvedModel[]): readonly string[] =>
  models.map(({ modelId }) => modelId);

/** Model choice on a real database; `keys` may change while it runs. */
export const setUp = async (options: Options = {}) => {
  const {
    model,
    fallbacks,
    agents,
    choices,
    keys: initial = ['anthropic', 'openai'],
    switchedOff = [],
    unserved = [],
    catalog: entries = BUILT_IN_MODELS,
  } = options;
  const { storage } = await sqliteStorage();
  const keys = new Set<ProviderId>(initial);
  const recorded = recordingEvents();
  const { logger, records } = recordingLogger();
  const catalog = new InMemoryModelCatalog(entries);
  const settings = createSessionSettings(storage);
  const create = () =>
    createModelChoice({
      catalog,
      aliasIndex: buildModelAliasIndex(catalog, { onDuplicate: () => undefined }),
      configured: { model, fallbacks },
      agents,
      choices,
      isUsable: ({ id, provider }) => keys.has(provider) && !unserved.includes(id),
      knowsKey: (provider) => keys.has(provider) || switchedOff.includes(provider),
      offlineModel: OFFLINE_MODEL,
      settings,
      clock: new ManualClock(),
      events: recorded.events,
      logger,
    });
  return { create, keys, recorded, settings, records };
};

import { createCloseTurn, createTranscriptStore } from '../agent/memory/transcript/transcript-store.ts';
import { openModels } from '../agent/open-models.ts';
import { openToolbox } from '../agent/toolbox.ts';
import { createApprovals } from '../agent/tools/approvals.ts';
import type { Turns } from '../chat/queue/turns.ts';
import { type Base, loggingAs } from './base.ts';
import type { People } from './people.ts';
import type { Config } from '../platform/config/config.ts';
import type { Plugins } from '../platform/plugins/plugin-loader.ts';
import { createAccountReads } from '../people/account-reads.ts';
import { createApprovalStore } from '../chat/store/approvals.ts';
import { createSessionSettings } from '../agent/store/session-settings.ts';
import { createTranscriptRows } from '../agent/store/transcript-rows.ts';
import { createAuthProfileRows } from '../agent/store/auth-profiles.ts';

export interface AgentParts {
  readonly base: Base;
  readonly people: People;
  readonly plugins: Plugins;
  readonly turns: Turns;
}

/** Opens transcripts, approvals, the tools under their policy, and the models that may call them. */
export const openAgent = async (
  config: Config,
  { people, plugins, turns, ...parts }: AgentParts,
  opened: AsyncDisposableStack,
) => {
  const base = loggingAs(parts.base, 'agent');
  const rows = createTranscriptRows(base.storage);
  const transcripts = createTranscriptStore(rows, base.clock, base.logger, base.events);
  const approvals = createApprovals({
    ...base,
    ...people.messenger,
    store: createApprovalStore(base.storage),
    settings: config.approvals,
    resume: turns.resume,
    closeTurn: createCloseTurn(transcripts),
  });
  const reads = createAccountReads({ ...base, audit: people.stores.audit });
  const toolbox = await openToolbox({ ...base, settings: config, approvals, reads });
  opened.defer(toolbox.skills.stop);
  const models = await openModels({
    ...base,
    settings: config.engine,
    pluginModels: plugins.models,
    savedKeys: createAuthProfileRows(base.storage),
    sessions: createSessionSettings(base.storage),
    tools: toolbox.registry,
    skills: toolbox.skills,
    profiles: people.profiles,
    locale: people.context.locale,
  });
  return { transcripts, approvals, toolbox, models };
};

export type Agent = Awaited<ReturnType<typeof openAgent>>;

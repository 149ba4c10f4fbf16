import { type AgentTable, agentSettingsOf } from '#src/core/agent-settings.ts';
import type { PipelineMsgContext } from '#src/core/execution.ts';
import { fixedLocaleIn, type LocaleRule } from '#src/core/guild-settings.ts';
import type { AgentId, SessionKey } from '#src/core/ids.ts';
import type { ChatPlace } from '#src/core/message.ts';
import type { Profiles } from '#src/core/ports.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { SkillSummary } from './prompt/identity.ts';
import { createSessionPrompts } from './session-prompts.ts';
import { buildSystemPrompt, type PromptBuildContext } from './system-prompt.ts';
import { createAgentLimits } from './tools/agent-limits.ts';
import { BUILT_IN_GROUPS } from './tools/groups.ts';
import type { ToolRegistry } from './tools/registry.ts';

export interface PromptDeps {
  readonly tools: Pick<ToolRegistry, 'definitions' | 'onDemand'>;
  readonly skills: { readonly list: () => readonly SkillSummary[] };
  readonly profiles: Pick<Profiles, 'get'>;
  readonly instructions: string | undefined;
  /** By id: some have instructions of their own. */
  readonly agents?: AgentTable | undefined;
  /** Fixed by the operator or by the server that a message comes from, or the sender's. */
  readonly locale: LocaleRule;
  readonly clock: Clock;
}

export interface Prompts {
  readonly promptFor: (ctx: PipelineMsgContext) => Promise<string>;
  /** What stands at the head of a conversation, or would if it began now. */
  readonly of: (sessionKey: SessionKey, agentId: AgentId, place: ChatPlace) => string;
  readonly forget: (sessionKey: SessionKey) => void;
}

const READ_SKILL = { name: 'read_skill', group: 'finance' } as const;

/** What a channel can do is hardly seen in the size of a prompt. */
const SOME_CHANNEL = { maxMessageLength: 2_000, supportsMarkdown: true, supportsTables: false };

/** The system prompts of all conversations: frozen for each, and built anew where a person changed their profile. */
export const openPrompts = (deps: PromptDeps): Prompts => {
  const { tools, skills, profiles, instructions, agents = {}, clock } = deps;
  const limits = createAgentLimits(agents);
  const frozen = createSessionPrompts({ clock });

  const build = (
    where: ChatPlace & Pick<PromptBuildContext, 'agentId' | 'channelCapabilities' | 'profile' | 'locale'>,
  ): string => {
    const { agentId } = where;
    const inUse = new Set(tools.onDemand(agentId, where).map(({ tool }) => tool.definition.group));
    const agentInstructions = agentSettingsOf(agents, agentId).instructions;
    // A skill that nobody can read would only be promised.
    const canRead = limits.objectionTo(agentId, READ_SKILL) === undefined;
    return buildSystemPrompt({
      ...where,
      tools: tools.definitions(agentId, where),
      onDemandGroups: BUILT_IN_GROUPS.filter(({ id }) => inUse.has(id)),
      ...(instructions === undefined ? {} : { customInstructions: instructions }),
      ...(agentInstructions === undefined ? {} : { agentInstructions }),
      skills: canRead ? skills.list() : [],
    });
  };

  return {
    promptFor: async (ctx) => {
      const { sessionKey, agentId, channelId, chatId, chatType, channelCapabilities } = ctx;
      const locale = fixedLocaleIn(ctx, deps.locale);
      const where = { agentId, channelId, chatId, chatType, channelCapabilities, locale };
      // What a person told about themselves stays out of a conversation that others read.
      if (chatType !== 'direct') return frozen.promptFor(sessionKey, () => build(where), locale);
      const profile = await profiles.get(channelId, ctx.senderId);
      return frozen.promptFor(sessionKey, () => build({ ...where, profile }), JSON.stringify(profile));
    },
    of: (sessionKey, agentId, place) =>
      frozen.peek(sessionKey) ??
      build({
        ...place,
        agentId,
        channelCapabilities: SOME_CHANNEL,
        locale: fixedLocaleIn(place, deps.locale),
      }),
    forget: frozen.forget,
  };
};

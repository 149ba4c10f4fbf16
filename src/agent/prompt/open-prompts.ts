import { agentSettingsOf, type AgentTable } from '#src/kernel/agent/agent-settings.ts';
import type { PipelineMsgContext } from '#src/kernel/agent/execution.ts';
import { fixedLocaleIn, type LocaleRule } from '#src/kernel/chat/guild-settings.ts';
import { type AgentId, asId, type ChannelId, type ChatId, type SessionKey } from '#src/kernel/ids.ts';
import type { ChatPlace } from '#src/kernel/chat/message.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import type { Uses } from '#src/platform/services.ts';
import type { ModelWindow } from '../memory/window/model-window.ts';
import type { SkillSummary } from './sections.ts';
import { buildSystemPrompt, type PromptBuildContext } from './system-prompt.ts';
import { createAgentLimits } from '../tools/agent-limits.ts';
import { BUILT_IN_GROUPS } from '../tools/tool-groups.ts';
import type { ToolRegistry } from '../tools/tool-registry.ts';

export interface PromptDeps extends Uses<'clock' | 'profiles.get'> {
  readonly tools: Pick<ToolRegistry, 'definitions' | 'onDemand'>;
  readonly skills: { readonly list: () => readonly SkillSummary[] };
  readonly instructions: string | undefined;
  /** Per-agent instructions, by agent id. */
  readonly agents?: AgentTable | undefined;
  /** Fixed by the operator or by the message's server, otherwise the sender's. */
  readonly locale: LocaleRule;
}

/** The part of a request before the conversation. */
export interface RequestHead {
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
}

/** The window settings that determine the head of a request. */
type HeadSize = Pick<ModelWindow, 'isSmall' | 'toolTokens'>;

export type Prompts = ReturnType<typeof openPrompts>;

const READ_SKILL = { name: 'read_skill', group: 'finance' } as const;

/** A channel's capabilities hardly change the size of a prompt. */
const SOME_CHANNEL = { maxMessageLength: 2_000, supportsMarkdown: true, supportsTables: false };

const DIRECT_CHAT: ChatPlace = {
  // No rule about a channel applies.
  channelId: asId<ChannelId>('any'),
  chatId: asId<ChatId>('direct'),
  chatType: 'direct',
};

/** The system prompts of all conversations: frozen for each, and rebuilt when a person changes their profile. */
export const openPrompts = (deps: PromptDeps) => {
  const { tools, skills, profiles, instructions, agents = {}, clock } = deps;
  const limits = createAgentLimits(agents);
  const frozen = createSessionPrompts({ clock });

  type Where = ChatPlace & Pick<PromptBuildContext, 'agentId' | 'channelCapabilities' | 'profile' | 'locale'>;

  const build = (where: Where, { isSmall, toolTokens }: HeadSize): RequestHead => {
    const { agentId } = where;
    const onDemand = tools.onDemand(agentId, where, toolTokens).map(({ tool }) => tool.definition);
    const inUse = new Set(onDemand.map(({ group }) => group));
    const agentInstructions = agentSettingsOf(agents, agentId).instructions;
    // Skills are not listed for an agent that cannot read them.
    const canRead = limits.objectionTo(agentId, READ_SKILL) === undefined;
    const listed = tools.definitions(agentId, where, toolTokens);
    const systemPrompt = buildSystemPrompt(
      {
        ...where,
        tools: listed,
        onDemandGroups: BUILT_IN_GROUPS.filter(({ id }) => inUse.has(id)),
        onDemandNames: onDemand.map(({ name }) => name),
        ...(instructions === undefined ? {} : { customInstructions: instructions }),
        ...(agentInstructions === undefined ? {} : { agentInstructions }),
        skills: canRead ? skills.list() : [],
      },
      isSmall ? 'minimal' : 'full',
    );
    return { systemPrompt, tools: listed };
  };

  return {
    /**
     * The head for the window of the answering model, which stays the same during the conversation. `other`
     * builds the head for the window of a fallback model.
     */
    headFor: async (
      ctx: PipelineMsgContext,
      window: HeadSize,
    ): Promise<RequestHead & { readonly other: (window: HeadSize) => RequestHead }> => {
      const { sessionKey, agentId, channelId, chatId, chatType, channelCapabilities } = ctx;
      const locale = fixedLocaleIn(ctx, deps.locale);
      // A profile must not enter a conversation that others read.
      const profile = chatType === 'direct' ? await profiles.get(channelId, ctx.senderId) : undefined;
      const where = {
        agentId,
        channelId,
        chatId,
        chatType,
        channelCapabilities,
        locale,
        ...(profile && { profile }),
      };
      const basis = JSON.stringify([profile ?? locale, window.toolTokens]);
      return {
        systemPrompt: frozen.promptFor(sessionKey, () => build(where, window).systemPrompt, basis),
        tools: tools.definitions(agentId, where, window.toolTokens),
        other: (smaller) => build(where, smaller),
      };
    },
    /** The head of a conversation, or the one it would have if it began now. */
    of: (sessionKey: SessionKey, agentId: AgentId, place: ChatPlace, window: HeadSize): RequestHead => {
      const head = build(
        {
          ...place,
          agentId,
          channelCapabilities: SOME_CHANNEL,
          locale: fixedLocaleIn(place, deps.locale),
        },
        window,
      );
      return { ...head, systemPrompt: frozen.peek(sessionKey) ?? head.systemPrompt };
    },
    /** The head for a new direct chat with an agent, where it has the most tools. The prompt is built lazily. */
    forAgent: (
      agentId: AgentId,
      window: HeadSize,
    ): { readonly tools: readonly ToolDefinition[]; readonly systemPrompt: () => string } => ({
      tools: tools.definitions(agentId, DIRECT_CHAT, window.toolTokens),
      systemPrompt: () =>
        build({ ...DIRECT_CHAT, agentId, channelCapabilities: SOME_CHANNEL, locale: 'auto' }, window)
          .systemPrompt,
    }),
    forget: frozen.forget,
  };
};

const MAX_IDLE_MS = 3_600_000;
const MAX_SESSIONS = 10_000;

interface SessionPromptsOptions extends Uses<'clock'> {
  /** Providers cache no longer than this, so a new prompt costs nothing then. */
  readonly maxIdleMs?: number;
  readonly maxSessions?: number;
}

interface Shared {
  readonly prompt: string;
  sessions: number;
}

interface Frozen {
  readonly shared: Shared;
  readonly basis: string;
  readonly usedAtMs: number;
}

export const createSessionPrompts = ({
  clock,
  maxIdleMs = MAX_IDLE_MS,
  maxSessions = MAX_SESSIONS,
}: SessionPromptsOptions) => {
  /** Ordered by last use, the oldest first. */
  const sessions = new Map<SessionKey, Frozen>();
  /** Most chats share the same prompt, so it is stored once. */
  const prompts = new Map<string, Shared>();

  const share = (prompt: string): Shared =>
    prompts.getOrInsertComputed(prompt, () => ({ prompt, sessions: 0 }));

  const forget = (sessionKey: SessionKey): void => {
    const shared = sessions.get(sessionKey)?.shared;
    if (!shared) return;
    sessions.delete(sessionKey);
    shared.sessions -= 1;
    if (shared.sessions === 0) prompts.delete(shared.prompt);
  };

  const isIdle = (usedAtMs: number): boolean => clock.monotonicMs() - usedAtMs >= maxIdleMs;

  const makeRoom = (): void => {
    for (const [oldest, { usedAtMs }] of sessions) {
      if (sessions.size <= maxSessions && !isIdle(usedAtMs)) break;
      forget(oldest);
    }
  };

  const inUse = (sessionKey: SessionKey): Frozen | undefined => {
    const found = sessions.get(sessionKey);
    return found && !isIdle(found.usedAtMs) ? found : undefined;
  };

  return {
    /**
     * The prompt of a session, byte for byte the same while the session is in use: a new tool or skill waits,
     * because a changed prompt would invalidate the provider's cache. Changes that must apply at once go into
     * `basis`, which rebuilds the prompt.
     */
    promptFor: (sessionKey: SessionKey, build: () => string, basis: string = ''): string => {
      const found = inUse(sessionKey);
      const shared = found?.basis === basis ? found.shared : share(build());
      // Count first: a prompt that the old entry shares must not be dropped in between.
      shared.sessions += 1;
      forget(sessionKey);
      sessions.set(sessionKey, { shared, basis, usedAtMs: clock.monotonicMs() });
      makeRoom();
      return shared.prompt;
    },
    /** The current prompt, without counting as a use. Undefined if there is none. */
    peek: (sessionKey: SessionKey): string | undefined => inUse(sessionKey)?.shared.prompt,
    /** Called when a conversation is reset or compacted, which invalidates the cache anyway. */
    forget,
  };
};

import type { ChannelCapabilities } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { AgentId, ChannelId } from '#src/kernel/ids.ts';
import type { ChatType } from '#src/kernel/message.ts';
import type { UserProfile } from '#src/kernel/ports.ts';
import type { ToolDefinition } from '#src/kernel/tool.ts';
import { buildChannelContextSection, buildUserContextSection } from './chat.ts';
import { buildCustomSection } from './custom.ts';
import { buildComplianceSection, buildFinanceContextSection, buildRiskDisclaimerSection } from './finance.ts';
import { buildCapabilitiesSection, buildIdentitySection, type SkillSummary } from './identity.ts';
import { buildConstraintsSection, buildCurrentStateSection, buildMemorySection } from './rules.ts';
import { type PromptSection, renderSection } from './section.ts';
import { buildExamplesSection, buildFormattingSection, buildLanguageSection } from './style.ts';
import { buildShortToolsSection, buildToolsSection, type OnDemandGroup } from './tools.ts';

/** `minimal`, for small windows: who it is, its tools, the rules that always hold and the operator's own words. */
export type PromptBuildMode = 'full' | 'minimal';

/** What the prompt depends on. None of it may change from message to message: it would undo the providers' caches. */
export interface PromptBuildContext {
  readonly agentId: AgentId;
  readonly channelId: ChannelId;
  readonly chatType: ChatType;
  readonly channelCapabilities: ChannelCapabilities;
  /** Those that go to the model with every request. */
  readonly tools: readonly ToolDefinition[];
  /** The tools on demand: their groups and names. */
  readonly onDemandGroups: readonly OnDemandGroup[];
  readonly onDemandNames: readonly string[];
  /** The language that the operator fixed. */
  readonly locale: Locale | 'auto';
  /** The operator's, from the configuration. */
  readonly customInstructions?: string;
  /** The operator's for this agent alone; they stand behind those for all. */
  readonly agentInstructions?: string;
  /** Of the person in a direct chat. Never used anywhere else. */
  readonly profile?: UserProfile;
  readonly skills: readonly SkillSummary[];
  /** Estimated tokens that the whole prompt may take. */
  readonly tokenBudget?: number;
}

const DEFAULT_TOKEN_BUDGET = 6_000;
/** Of the budget: long instructions must not push out the rest. */
const CUSTOM_SHARE = 1 / 3;

/** All but the operator's own. */
const sectionsOf = (ctx: PromptBuildContext, tools: PromptSection): readonly PromptSection[] => {
  const profile = ctx.chatType === 'direct' ? ctx.profile : undefined;
  return [
    buildIdentitySection(ctx.agentId),
    buildConstraintsSection(),
    tools,
    buildCapabilitiesSection(ctx.skills),
    buildFinanceContextSection(),
    buildComplianceSection(profile?.complianceLevel ?? 'retail'),
    buildRiskDisclaimerSection(),
    buildUserContextSection(ctx.chatType, profile),
    buildChannelContextSection(ctx.channelId, ctx.chatType),
    buildFormattingSection(ctx.channelCapabilities),
    buildLanguageSection(ctx.locale, profile?.locale),
    buildExamplesSection(),
    buildCurrentStateSection(),
    buildMemorySection(),
  ];
};

const tokensOf = (sections: readonly PromptSection[]): number =>
  sections.reduce((sum, { tokenEstimate }) => sum + tokenEstimate, 0);

/** Without as many optional sections as it takes, those of the lowest priority first. */
const leaveOut = (sections: readonly PromptSection[], budget: number): readonly PromptSection[] => {
  let kept = sections;
  for (const section of sections.toSorted((a, b) => a.priority - b.priority)) {
    if (tokensOf(kept) <= budget) break;
    if (!section.required) kept = kept.filter((other) => other !== section);
  }
  return kept;
};

const instructionsOf = ({ customInstructions = '', agentInstructions = '' }: PromptBuildContext) => [
  customInstructions,
  agentInstructions,
];

const withinBudget = (ctx: PromptBuildContext): readonly PromptSection[] => {
  const budget = ctx.tokenBudget ?? DEFAULT_TOKEN_BUDGET;
  const instructions = instructionsOf(ctx);
  const custom = buildCustomSection(instructions, budget * CUSTOM_SHARE);
  const sections = sectionsOf(ctx, buildToolsSection(ctx.tools, ctx.onDemandGroups));
  const kept = leaveOut(sections, budget - custom.tokenEstimate);
  const room = budget - tokensOf(kept);
  return [...kept, room < custom.tokenEstimate ? buildCustomSection(instructions, room) : custom];
};

/** The operator's words stay whole: where they do not fit into the window, the start says so. */
const requiredOnly = (ctx: PromptBuildContext): readonly PromptSection[] => [
  ...sectionsOf(ctx, buildShortToolsSection(ctx.tools, ctx.onDemandNames)).filter(({ required }) => required),
  buildCustomSection(instructionsOf(ctx), Infinity),
];

/**
 * What the model is told about itself. The same context gives the same bytes, in whatever order tools and
 * skills come, and nothing in it depends on the clock, on prices or on what was said: providers cache it
 * byte by byte. What changes goes into the newest user turn.
 */
export const buildSystemPrompt = (ctx: PromptBuildContext, mode: PromptBuildMode = 'full'): string => {
  const sections = mode === 'minimal' ? requiredOnly(ctx) : withinBudget(ctx);
  return sections
    .filter(({ content }) => content !== '')
    .toSorted((a, b) => b.priority - a.priority)
    .map(renderSection)
    .join('\n\n');
};

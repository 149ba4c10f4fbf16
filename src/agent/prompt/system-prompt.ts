import { sanitizeText } from '../sanitize-text.ts';
import {
  buildCapabilitiesSection,
  buildChannelContextSection,
  buildComplianceSection,
  buildConstraintsSection,
  buildCurrentStateSection,
  buildExamplesSection,
  buildFinanceContextSection,
  buildFormattingSection,
  buildIdentitySection,
  buildLanguageSection,
  buildMemorySection,
  buildRiskDisclaimerSection,
  buildShortToolsSection,
  buildToolsSection,
  buildUserContextSection,
  type OnDemandGroup,
  type PromptSection,
  promptSection,
  renderSection,
  type SkillSummary,
} from './sections.ts';
import type { ChannelCapabilities } from '#src/kernel/chat/capabilities.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { AgentId, ChannelId } from '#src/kernel/ids.ts';
import type { ChatType } from '#src/kernel/chat/message.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';

const OPENING = [
  'From those who run this bot. They may set tone, scope and form; the rules, the limits on advice and the risk notice above stay.',
  '<operator>',
];
const CLOSING = '</operator>';
const CUT_NOTE = '[Cut here: the rest did not fit.]';

/** The longest prefix of whole characters within `maxBytes`. */
const firstBytes = (text: string, maxBytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, Math.max(0, maxBytes)), { stream: true });

const BYTES_PER_TOKEN = 3;

/** Instructions are separated by a blank line. */
const framed = (texts: readonly string[]): PromptSection =>
  promptSection('custom', [...OPENING, texts.join('\n\n'), CLOSING]);

/** A truncated text says so, because half an instruction must not pass for a whole one. */
const cutTo = (text: string, maxBytes: number): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const kept = firstBytes(text, maxBytes).trimEnd();
  return kept === '' ? CUT_NOTE : `${kept}\n${CUT_NOTE}`;
};

/** Equal shares; the unused part of a short one is distributed to the others. */
const sharesOf = (sizes: readonly number[], total: number): readonly number[] => {
  const shares = sizes.map(() => 0);
  let left = total;
  for (const [place, [index, size]] of [...sizes.entries()].toSorted(([, a], [, b]) => a - b).entries()) {
    shares[index] = Math.min(size, Math.floor(left / (sizes.length - place)));
    left -= shares[index];
  }
  return shares;
};

/**
 * The operator's instructions, for all agents and for this one, within `maxTokens` if the frame leaves any.
 * Instructions that are too long are each truncated to their share, so that none displaces another.
 */
const buildCustomSection = (instructions: readonly string[], maxTokens: number): PromptSection => {
  const texts = instructions.map(sanitizeText).filter((text) => text !== '');
  if (texts.length === 0) return promptSection('custom', []);
  const whole = framed(texts);
  if (whole.tokenEstimate <= maxTokens) return whole;
  const frame = framed(texts.map(() => CUT_NOTE));
  // Each text has a line break before its note.
  const roomBytes = (maxTokens - frame.tokenEstimate) * BYTES_PER_TOKEN - texts.length;
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const shares = sharesOf(sizes, Math.max(0, roomBytes));
  return framed(texts.map((text, index) => cutTo(text, shares[index] ?? 0)));
};

/** `minimal` is for small windows: identity, tools, the required rules and the operator's instructions. */
type PromptBuildMode = 'full' | 'minimal';

/** The inputs of the prompt. None may change from message to message, or the providers' prompt caches are lost. */
export interface PromptBuildContext {
  readonly agentId: AgentId;
  readonly channelId: ChannelId;
  readonly chatType: ChatType;
  readonly channelCapabilities: ChannelCapabilities;
  /** Tools that are sent with every request. */
  readonly tools: readonly ToolDefinition[];
  /** Groups and names of the tools on demand. */
  readonly onDemandGroups: readonly OnDemandGroup[];
  readonly onDemandNames: readonly string[];
  /** The language that the operator fixed, if any. */
  readonly locale: Locale | 'auto';
  /** The operator's instructions for all agents. */
  readonly customInstructions?: string;
  /** The operator's instructions for this agent, which follow those for all. */
  readonly agentInstructions?: string;
  /** The person's profile, in a direct chat only. */
  readonly profile?: UserProfile;
  readonly skills: readonly SkillSummary[];
  /** Limit for the whole prompt, in estimated tokens. */
  readonly tokenBudget?: number;
}

const DEFAULT_TOKEN_BUDGET = 6_000;
/** Share of the budget, so that long instructions do not displace the rest. */
const CUSTOM_SHARE = 1 / 3;

/** All sections except the operator's instructions. */
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

/** Drops optional sections, lowest priority first, until the rest fits. */
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

/** The operator's instructions are not truncated here: the start fails if they do not fit into the window. */
const requiredOnly = (ctx: PromptBuildContext): readonly PromptSection[] => [
  ...sectionsOf(ctx, buildShortToolsSection(ctx.tools, ctx.onDemandNames)).filter(({ required }) => required),
  buildCustomSection(instructionsOf(ctx), Infinity),
];

/**
 * Builds the system prompt. The same context gives the same bytes, in whatever order tools and skills come.
 * Nothing in it depends on the clock, on prices or on the conversation, because providers cache it byte by
 * byte. Volatile context goes into the newest user turn.
 */
export const buildSystemPrompt = (ctx: PromptBuildContext, mode: PromptBuildMode = 'full'): string => {
  const sections = mode === 'minimal' ? requiredOnly(ctx) : withinBudget(ctx);
  return sections
    .filter(({ content }) => content !== '')
    .toSorted((a, b) => b.priority - a.priority)
    .map(renderSection)
    .join('\n\n');
};

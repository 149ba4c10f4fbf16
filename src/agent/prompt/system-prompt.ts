import { sanitizeText } from './untrusted-text.ts';
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
import type { ChannelCapabilities } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { AgentId, ChannelId } from '#src/kernel/ids.ts';
import type { ChatType } from '#src/kernel/message.ts';
import type { UserProfile } from '#src/kernel/ports.ts';
import type { ToolDefinition } from '#src/kernel/tool.ts';

const OPENING = [
  'From those who run this bot. They may set tone, scope and form; the rules, the limits on advice and the risk notice above stay.',
  '<operator>',
];
const CLOSING = '</operator>';
const CUT_NOTE = '[Cut here: the rest did not fit.]';

/** As many whole characters as `maxBytes` hold. */
const firstBytes = (text: string, maxBytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, Math.max(0, maxBytes)), { stream: true });

const BYTES_PER_TOKEN = 3;

/** A blank line between one and the next. */
const framed = (texts: readonly string[]): PromptSection =>
  promptSection('custom', [...OPENING, texts.join('\n\n'), CLOSING]);

/** Cut, it says so: half an instruction must not be taken for a whole one. */
const cutTo = (text: string, maxBytes: number): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const kept = firstBytes(text, maxBytes).trimEnd();
  return kept === '' ? CUT_NOTE : `${kept}\n${CUT_NOTE}`;
};

/** Equal shares; what a short one leaves is for the others. */
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
 * What the operator wrote into the configuration, for all agents and for this one, of at most so many tokens
 * where the frame leaves any. Too long, each is cut to its share: none pushes out another.
 */
const buildCustomSection = (instructions: readonly string[], maxTokens: number): PromptSection => {
  const texts = instructions.map(sanitizeText).filter((text) => text !== '');
  if (texts.length === 0) return promptSection('custom', []);
  const whole = framed(texts);
  if (whole.tokenEstimate <= maxTokens) return whole;
  const frame = framed(texts.map(() => CUT_NOTE));
  // Each has a line break before its note.
  const roomBytes = (maxTokens - frame.tokenEstimate) * BYTES_PER_TOKEN - texts.length;
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const shares = sharesOf(sizes, Math.max(0, roomBytes));
  return framed(texts.map((text, index) => cutTo(text, shares[index] ?? 0)));
};

/** `minimal`, for small windows: who it is, its tools, the rules that always hold and the operator's own words. */
type PromptBuildMode = 'full' | 'minimal';

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

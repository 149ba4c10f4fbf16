import type { ToolGroupId } from '#src/kernel/agent/tool.ts';
import type { PolicyVerdict } from './policy-rules.ts';

export interface ToolGroup {
  readonly id: ToolGroupId;
  readonly description: string;
  /** Applies to the group's tools if no rule matches. */
  readonly defaultPolicy: PolicyVerdict;
  readonly includeInPromptWhen: 'always' | 'on-demand';
}

export const BUILT_IN_GROUPS = [
  {
    id: 'finance',
    description: 'Quotes, portfolio analysis, news and charts',
    defaultPolicy: 'allow',
    includeInPromptWhen: 'always',
  },
  {
    id: 'system',
    description: 'The state of the bot itself',
    defaultPolicy: 'require-approval',
    includeInPromptWhen: 'on-demand',
  },
  {
    id: 'web',
    description: 'Reading public web pages',
    defaultPolicy: 'allow',
    includeInPromptWhen: 'always',
  },
  {
    id: 'data',
    description: 'What the bot stores about the person: usage, reminders, this conversation',
    defaultPolicy: 'require-approval',
    includeInPromptWhen: 'on-demand',
  },
  {
    id: 'communication',
    description: 'Messages to the person, now or later',
    defaultPolicy: 'allow',
    includeInPromptWhen: 'always',
  },
  {
    id: 'custom',
    description: 'Tools that plugins bring along',
    defaultPolicy: 'require-approval',
    includeInPromptWhen: 'on-demand',
  },
] as const satisfies readonly ToolGroup[];

/** The built-in groups with the operator's default policies. */
export const groupsWith = (
  overrides: Readonly<Partial<Record<ToolGroupId, PolicyVerdict | undefined>>>,
): readonly ToolGroup[] =>
  BUILT_IN_GROUPS.map((group) => ({ ...group, defaultPolicy: overrides[group.id] ?? group.defaultPolicy }));

/** Undefined only for a group that a plugin invented. */
export const groupOf = (id: ToolGroupId, groups: readonly ToolGroup[]): ToolGroup | undefined =>
  groups.find((group) => group.id === id);

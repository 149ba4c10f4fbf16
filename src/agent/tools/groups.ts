import type { Localized } from '#src/core/i18n.ts';
import type { ToolGroupId } from '#src/core/tool.ts';
import type { PolicyVerdict } from './policy-rules.ts';

export interface ToolGroup {
  readonly id: ToolGroupId;
  readonly displayName: Localized;
  readonly description: string;
  /** For its tools, where no rule speaks. */
  readonly defaultPolicy: PolicyVerdict;
  readonly includeInPromptWhen: 'always' | 'on-demand' | 'never';
}

export const BUILT_IN_GROUPS = [
  {
    id: 'finance',
    displayName: { ko: '금융 도구', en: 'Finance tools' },
    description: 'Quotes, portfolio analysis, news and charts',
    defaultPolicy: 'allow',
    includeInPromptWhen: 'always',
  },
  {
    id: 'system',
    displayName: { ko: '시스템 도구', en: 'System tools' },
    description: 'The state of the bot itself',
    defaultPolicy: 'require-approval',
    includeInPromptWhen: 'on-demand',
  },
  {
    id: 'web',
    displayName: { ko: '웹 도구', en: 'Web tools' },
    description: 'Reading public web pages',
    defaultPolicy: 'allow',
    includeInPromptWhen: 'always',
  },
  {
    id: 'data',
    displayName: { ko: '데이터 도구', en: 'Data tools' },
    description: 'What the bot stores about the person: usage, reminders, this conversation',
    defaultPolicy: 'require-approval',
    includeInPromptWhen: 'on-demand',
  },
  {
    id: 'communication',
    displayName: { ko: '커뮤니케이션 도구', en: 'Communication tools' },
    description: 'Messages to the person, now or later',
    defaultPolicy: 'allow',
    includeInPromptWhen: 'always',
  },
  {
    id: 'custom',
    displayName: { ko: '사용자 정의 도구', en: 'Custom tools' },
    description: 'Tools that plugins and skills bring along',
    defaultPolicy: 'require-approval',
    includeInPromptWhen: 'on-demand',
  },
] as const satisfies readonly ToolGroup[];

/** The built-in groups with the default policies that the operator chose. */
export const groupsWith = (
  overrides: Readonly<Partial<Record<ToolGroupId, PolicyVerdict | undefined>>>,
): readonly ToolGroup[] =>
  BUILT_IN_GROUPS.map((group) => ({ ...group, defaultPolicy: overrides[group.id] ?? group.defaultPolicy }));

/** Undefined only for a name that a plugin made up: types do not hold it back. */
export const groupOf = (id: ToolGroupId, groups: readonly ToolGroup[]): ToolGroup | undefined =>
  groups.find((group) => group.id === id);

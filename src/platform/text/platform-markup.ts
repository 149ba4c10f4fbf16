/** Rewrites matches of a pattern as readable text. `groups` are the groups of the pattern. */
export interface MarkupRule {
  /** With the flag `g`. */
  readonly pattern: RegExp;
  readonly readable: (found: string, groups: readonly (string | undefined)[], timeZone: string) => string;
}

/** How one platform writes mentions and markup into the text of its messages. All patterns but `chatId` have the flag `g`. */
export interface PlatformMarkup {
  /** A mention of a person. It is removed from the text. */
  readonly mention?: RegExp;
  /** A mention of a chat. The first group is the id of the chat. */
  readonly chatMention?: RegExp;
  /** A mention of a role. The first group is the id of the role. */
  readonly roleMention?: RegExp;
  /** A whole word that is the id of a chat, as a person types it. The first group is the id. */
  readonly chatId?: RegExp;
  /** Applied in this order. Their output mentions nobody. */
  readonly rules?: readonly MarkupRule[];
}

export type MarkupReader = ReturnType<typeof createMarkupReader>;

const applyRule = (text: string, { pattern, readable }: MarkupRule, timeZone: string): string =>
  text.replace(pattern, (found: string, ...rest: unknown[]) => {
    // The last two arguments are the offset and the whole text.
    const groups = rest.slice(0, -2).map((group) => (typeof group === 'string' ? group : undefined));
    return readable(found, groups, timeZone);
  });

const idsIn = (text: string, patterns: readonly RegExp[]): readonly string[] =>
  patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, id = '']) => id));

/**
 * Reads the markup of all given platforms, because people paste text from one platform into another, and commands are
 * recognised before their platform is known.
 */
export const createMarkupReader = (platforms: readonly PlatformMarkup[]) => {
  const mentions = platforms.flatMap(({ mention }) => mention ?? []);
  const chatMentions = platforms.flatMap(({ chatMention }) => chatMention ?? []);
  const roleMentions = platforms.flatMap(({ roleMention }) => roleMention ?? []);
  const chatIds = platforms.flatMap(({ chatId }) => chatId ?? []);
  const rules = platforms.flatMap((platform) => platform.rules ?? []);
  return {
    /** The text without mentions of people. */
    stripMentions: (text: string): string =>
      mentions.reduce((rest, mention) => rest.replace(mention, ''), text).trim(),
    /** The text without platform markup. Mentions of people stay; times are written in `timeZone`. */
    readable: (text: string, timeZone: string = 'UTC'): string =>
      rules.reduce((readable, rule) => applyRule(readable, rule, timeZone), text),
    chatsMentionedIn: (text: string): readonly string[] => idsIn(text, chatMentions),
    rolesMentionedIn: (text: string): readonly string[] => idsIn(text, roleMentions),
    chatIdIn: (word: string): string | undefined =>
      chatIds.map((pattern) => pattern.exec(word)?.[1]).find((id) => id !== undefined),
  };
};

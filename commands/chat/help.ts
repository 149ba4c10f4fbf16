import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { type Command, type CommandResult, mayUse } from '#src/kernel/chat/command.ts';
import type { CommandCategory, CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { helpTexts } from '#commands/chat/texts.ts';
import { shortened } from '#src/kernel/text.ts';

interface HelpDeps {
  /** A function, because the list contains this command too. */
  readonly listCommands: () => readonly CommandDefinition[];
  /** The operator's prefix. `/` works as well. */
  readonly commandPrefix?: string;
}

const ORDER: readonly CommandCategory[] = ['finance', 'general', 'admin', 'debug'];

const ALL: ReadonlySet<string> = new Set(['all', '전체', '모두']);

interface HelpPage {
  readonly category: CommandCategory;
  readonly commands: readonly CommandDefinition[];
}

const pagesOf = (commands: readonly CommandDefinition[]): readonly HelpPage[] =>
  ORDER.map((category) => ({
    category,
    commands: commands.filter((definition) => definition.category === category),
  })).filter((page) => page.commands.length > 0);

const listing = ({ category, commands }: HelpPage, prefix: string, locale: Locale): string =>
  [
    `**${helpTexts(locale).categories[category]}**`,
    ...commands.map(({ name, description }) => `- \`${prefix}${name}\` — ${description[locale]}`),
  ].join('\n');

/** One category at a time, so that it fits into one message with the hints of every platform. */
const pageResult = (
  pages: readonly HelpPage[],
  shown: readonly HelpPage[],
  prefix: string,
  locale: Locale,
): CommandResult => {
  const t = helpTexts(locale);
  return {
    content: [t.title(), ...shown.map((page) => listing(page, prefix, locale)), t.footer()].join('\n\n'),
    ephemeral: true,
    choices: pages.map((page, index) => ({
      label: t.categories[page.category],
      command: `/help ${index + 1}`,
      effect: 'replaces',
      ...(shown.length === 1 && shown[0] === page && { isCurrent: true }),
    })),
  };
};

const details = (definition: CommandDefinition, prefix: string, locale: Locale): string => {
  const aliases = definition.aliases.map((alias) => `\`${alias}\``).join(', ');
  const asTyped = (line: string): string => line.replace(/^\//, () => prefix);
  const examples = definition.examples?.[locale] ?? [];
  return [
    `\`${prefix}${definition.name}\` — ${definition.description[locale]}`,
    commandTexts(locale).usage({ usage: asTyped(definition.usage[locale]) }),
    ...examples.map(([typed, does]) => `- \`${asTyped(typed)}\` — ${does}`),
    ...(aliases ? [helpTexts(locale).aliases({ aliases })] : []),
  ].join('\n');
};

export const helpDefinition: CommandDefinition = {
  name: 'help',
  aliases: ['h', '도움말'],
  description: { ko: '사용 가능한 명령어를 보여 줍니다', en: 'what I can do' },
  usage: { ko: '/help [명령어]', en: '/help [command]' },
  category: 'general',
  isHarmless: true,
  options: [
    {
      name: 'command',
      nameKo: '명령어',
      description: { ko: '자세히 볼 명령어', en: 'the command to explain' },
      type: 'text',
      suggest: 'command',
    },
  ],
  isPrivate: true,
};

export const help = ({ listCommands, commandPrefix: prefix = '/' }: HelpDeps): Command => ({
  definition: helpDefinition,
  execute: async ([topic], ctx) => {
    const { locale } = ctx;
    const visible = listCommands().filter((definition) => mayUse(definition, ctx));
    const pages = pagesOf(visible);
    if (topic === undefined || shortened(topic) === '')
      return pageResult(pages, pages.slice(0, 1), prefix, locale);
    if (ALL.has(topic.toLowerCase())) return pageResult(pages, pages, prefix, locale);
    const page = /^\d{1,2}$/.test(topic) ? pages[Number(topic) - 1] : undefined;
    if (page) return pageResult(pages, [page], prefix, locale);
    const typed = topic.toLowerCase();
    const name = [prefix, '/'].reduce(
      (text, each) => (text.startsWith(each) ? text.slice(each.length) : text),
      typed,
    );
    const found = visible.find((definition) => [definition.name, ...definition.aliases].includes(name));
    const content = found
      ? details(found, prefix, locale)
      : helpTexts(locale).unknown({ name: shortened(topic) });
    return { content, ephemeral: true };
  },
});

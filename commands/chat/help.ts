import { type Command, mayUse } from '#src/kernel/command.ts';
import type { CommandCategory, CommandDefinition } from '#src/kernel/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { Choice } from '#src/kernel/message.ts';
import { helpMessages } from '#commands/chat/messages.ts';
import { shortened } from '#src/kernel/text.ts';

interface HelpDeps {
  /** A function, because the list contains this command too. */
  readonly listCommands: () => readonly CommandDefinition[];
  /** The operator's prefix. `/` works as well. */
  readonly commandPrefix?: string;
}

const ORDER: readonly CommandCategory[] = ['finance', 'general', 'admin', 'debug'];

interface HelpPage {
  readonly category: CommandCategory;
  readonly commands: readonly CommandDefinition[];
}

const pagesOf = (commands: readonly CommandDefinition[]): readonly HelpPage[] =>
  ORDER.map((category) => ({
    category,
    commands: commands.filter((definition) => definition.category === category),
  })).filter((page) => page.commands.length > 0);

const overview = (pages: readonly HelpPage[], prefix: string, locale: Locale): string => {
  const t = helpMessages(locale);
  const groups = pages.map(({ category, commands }) => {
    const lines = commands.map(({ name, description }) => `- \`${prefix}${name}\` — ${description[locale]}`);
    return [t.categories[category], ...lines].join('\n');
  });
  return [t.title(), ...groups, t.footer()].join('\n\n');
};

const typedWith = (prefix: string, line: string): string => line.replace(/^\//, () => prefix);

/** The commands of one category, with what to type. */
const pageText = ({ category, commands }: HelpPage, prefix: string, locale: Locale): string =>
  [
    `**${helpMessages(locale).categories[category]}**`,
    ...commands.map(
      ({ usage, description }) => `- \`${typedWith(prefix, usage[locale])}\` — ${description[locale]}`,
    ),
  ].join('\n');

/** `current` is 0 for the overview. */
const turning = (pages: readonly HelpPage[], current: number, locale: Locale): readonly Choice[] => {
  const t = helpMessages(locale);
  return [t.all(), ...pages.map(({ category }) => t.categories[category])].map((label, page) => ({
    label,
    command: page === 0 ? '/help' : `/help ${page}`,
    effect: 'replaces',
    ...(page === current && { isCurrent: true }),
  }));
};

const details = (definition: CommandDefinition, prefix: string, locale: Locale): string => {
  const aliases = definition.aliases.map((alias) => `\`${alias}\``).join(', ');
  const asTyped = (line: string): string => typedWith(prefix, line);
  const examples = definition.examples?.[locale] ?? [];
  return [
    `\`${prefix}${definition.name}\` — ${definition.description[locale]}`,
    helpMessages(locale).usage({ usage: asTyped(definition.usage[locale]) }),
    ...examples.map(([typed, does]) => `- \`${asTyped(typed)}\` — ${does}`),
    ...(aliases ? [helpMessages(locale).aliases({ aliases })] : []),
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
      return {
        content: overview(pages, prefix, locale),
        ephemeral: true,
        choices: turning(pages, 0, locale),
      };
    const page = /^\d{1,2}$/.test(topic) ? pages[Number(topic) - 1] : undefined;
    if (page)
      return {
        content: pageText(page, prefix, locale),
        ephemeral: true,
        choices: turning(pages, Number(topic), locale),
      };
    const typed = topic.toLowerCase();
    const name = [prefix, '/'].reduce(
      (text, each) => (text.startsWith(each) ? text.slice(each.length) : text),
      typed,
    );
    const found = visible.find((definition) => [definition.name, ...definition.aliases].includes(name));
    const content = found
      ? details(found, prefix, locale)
      : helpMessages(locale).unknown({ name: shortened(topic) });
    return { content, ephemeral: true };
  },
});

import { commandDefinitions } from '#commands/index.ts';
import type {
  CommandCategory,
  CommandDefinition,
  CommandOption,
  Subcommand,
} from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { helpTexts } from '#commands/chat/texts.ts';
import { code, heading, table } from './markdown.ts';

const INTRODUCTION = `Commands work in the terminal, in Discord and in Slack, in English and in Korean. Discord shows them as slash commands with options, and
completes names while you type (\`삼ㅅ\` finds 삼성전자). On Slack, \`/finclaw\` stands before every command, as in
\`/finclaw price AAPL\`; followed by a question it asks the bot. In any chat with the bot, a command can also be typed as a message.

A mistyped command gets the nearest name as a suggestion. If a company name is ambiguous, the bot asks which company is meant; it never
guesses. \`/help\` lists the commands that you may use, and \`/help price\` explains one of them.`;

const ORDER: readonly CommandCategory[] = ['finance', 'general', 'admin', 'debug'];

/** A whole sentence for what `/help` shows as a fragment. */
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const commandRow = ({ name, aliases, description }: CommandDefinition): readonly string[] => [
  `[${code(`/${name}`)}](#${name})`,
  aliases.map((alias) => code(`/${alias}`)).join(' '),
  code(`/finclaw ${name}`),
  sentence(description.en),
  sentence(description.ko),
];

const typeOf = ({ type, isNamed, name, isRequired, choices }: CommandOption): string => {
  const values = choices?.map(({ value }) => code(value)).join(', ');
  const kinds = {
    text: values ?? 'text',
    integer: 'number',
    flag: code(`--${name}`),
    file: 'attached file',
    channel: 'channel',
    role: 'role',
  };
  const kind = isNamed ? code(`--${name}=…`) : kinds[type];
  return isRequired ? `${kind}; required` : kind;
};

const examples = ({ examples: all }: CommandDefinition, locale: Locale): string | undefined =>
  all?.[locale].map(([typed, does]) => `- ${code(typed)}: ${does}`).join('\n');

const notes = ({ requiredRoles, isPrivate, cooldownMs }: CommandDefinition): readonly string[] => [
  ...(requiredRoles?.includes('admin') ? ['For administrators of the bot only.'] : []),
  ...(isPrivate ? ['Only you see the answer.'] : []),
  ...(cooldownMs === undefined ? [] : [`At most once in ${cooldownMs / 1_000} seconds.`]),
];

const subcommandRow = ({ name, nameKo, options = [], description }: Subcommand): readonly string[] => [
  code(name),
  code(nameKo),
  options.map((option) => code(option.isRequired ? option.name : `[${option.name}]`)).join(' '),
  description.en,
];

const details = (definition: CommandDefinition): string => {
  const { name, usage, options = [], subcommands = [] } = definition;
  const usages = usage.en === usage.ko ? [usage.en] : [usage.en, usage.ko];
  return [
    `### ${name}`,
    [
      sentence(definition.description.en),
      `Usage: ${usages.map(code).join(' or ')}.`,
      ...notes(definition),
    ].join(' '),
    examples(definition, 'en'),
    definition.examples && 'In Korean:',
    examples(definition, 'ko'),
    subcommands.length === 0 ? undefined : 'On Discord:',
    subcommands.length === 0
      ? undefined
      : table(['Subcommand', 'Korean name', 'Options', 'What it does'], subcommands.map(subcommandRow)),
    options.length === 0
      ? undefined
      : table(
          ['Option', 'Korean name', 'Value', 'Meaning'],
          options.map((option) => [
            code(option.name),
            code(option.nameKo),
            typeOf(option),
            option.description.en,
          ]),
        ),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
};

/** docs/commands.md: every command, from its definition. */
export const commandsPage = (): string => {
  const groups = ORDER.flatMap((category) => {
    const commands = commandDefinitions.filter((definition) => definition.category === category);
    const rows = commands.map(commandRow);
    return [
      `## ${helpTexts('en').categories[category]}`,
      table(['Command', 'Also', 'On Slack', 'What it does', '설명'], rows),
      ...commands.map(details),
    ];
  });
  return [heading('Commands'), INTRODUCTION, ...groups].join('\n\n');
};

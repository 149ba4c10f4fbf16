import { checkCount, checkLength, invalid, refusal } from './errors.ts';
import { type Call, type Handler, ok, type Route } from './http.ts';
import { asText, asWire, asWires, type Wire } from './wire.ts';

const NAME = /^[-_'\p{L}\p{N}\p{sc=Devanagari}\p{sc=Thai}]{1,32}$/u;
const LOCALES: ReadonlySet<string> = new Set(
  'id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko'.split(
    ' ',
  ),
);
const SUBCOMMAND = 1;
const GROUP = 2;
const STRING = 3;
const INTEGER = 4;
const CHANNEL = 7;
const NUMBER = 10;
const MAX_TOTAL = 8_000;

const checkName = (name: unknown, path: string): void => {
  checkLength(name, path, 32, 1);
  const text = asText(name);
  if (!NAME.test(text) || text !== text.toLowerCase())
    throw invalid(path, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
};

const checkText = (text: unknown, path: string): void => checkLength(text, path, 100, 1);

const checkLocalized = (value: unknown, path: string, check: (text: unknown, at: string) => void): void => {
  for (const [locale, text] of Object.entries(asWire(value))) {
    if (!LOCALES.has(locale))
      throw invalid(`${path}.${locale}`, 'ENUM_TYPE_COERCE', `Value "${locale}" is not a valid enum value.`);
    if (text !== null) check(text, `${path}.${locale}`);
  }
};

const checkTexts = (thing: Wire, path: string): void => {
  checkName(thing['name'], `${path}.name`);
  checkLocalized(thing['name_localizations'], `${path}.name_localizations`, checkName);
  checkText(thing['description'], `${path}.description`);
  checkLocalized(thing['description_localizations'], `${path}.description_localizations`, checkText);
};

const checkChoices = (option: Wire, path: string): void => {
  const choices = asWires(option['choices']);
  checkCount(choices, `${path}.choices`, 25);
  if (choices.length > 0 && option['autocomplete'] === true)
    throw invalid(
      `${path}.autocomplete`,
      'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID',
      'Choices and autocomplete are mutually exclusive',
    );
  for (const [at, choice] of choices.entries()) {
    checkText(choice['name'], `${path}.choices.${at}.name`);
    checkLocalized(choice['name_localizations'], `${path}.choices.${at}.name_localizations`, checkText);
    if (option['type'] === STRING) checkLength(choice['value'], `${path}.choices.${at}.value`, 100, 1);
  }
};

const checkUnique = (things: readonly Wire[], path: string, code: string): void => {
  for (const [at, { name }] of things.entries())
    if (things.findIndex((other) => other['name'] === name) < at)
      throw invalid(`${path}.${at}.name`, code, 'Names must be unique');
};

/** A command has subcommands or options, and a subcommand has options only. */
const checkNesting = (options: readonly Wire[], path: string, isOfSubcommand: boolean): void => {
  const nested = options.filter(({ type }) => type === SUBCOMMAND || type === GROUP);
  if (nested.length > 0 && (isOfSubcommand || nested.length < options.length))
    throw invalid(
      path,
      'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
      'Sub-command and sub-command group option types are mutually exclusive to all other types',
    );
};

const checkBounds = (option: Wire, path: string): void => {
  const isNumber = option['type'] === INTEGER || option['type'] === NUMBER;
  if (!isNumber && (option['min_value'] !== undefined || option['max_value'] !== undefined))
    throw invalid(path, 'APPLICATION_COMMAND_OPTIONS_MIN_MAX_INVALID', 'Only numbers have bounds');
  if (option['type'] !== CHANNEL && option['channel_types'] !== undefined)
    throw invalid(path, 'APPLICATION_COMMAND_OPTIONS_CHANNEL_TYPES_INVALID', 'Only channels have types');
};

const checkOptions = (options: readonly Wire[], path: string, isOfSubcommand = false): void => {
  checkCount(options, path, 25);
  checkNesting(options, path, isOfSubcommand);
  checkUnique(options, path, 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID');
  for (const [at, option] of options.entries()) {
    const optionPath = `${path}.${at}`;
    if (typeof option['type'] !== 'number' || option['type'] < 1 || option['type'] > 11)
      throw invalid(`${optionPath}.type`, 'BASE_TYPE_CHOICES', 'Value must be one of {1, …, 11}.');
    checkTexts(option, optionPath);
    checkChoices(option, optionPath);
    checkBounds(option, optionPath);
    if (option['required'] === true && options.slice(0, at).some((earlier) => earlier['required'] !== true))
      throw invalid(
        optionPath,
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        'Required options must be placed before non-required options',
      );
    checkOptions(asWires(option['options']), `${optionPath}.options`, true);
  }
};

/** Names, descriptions and values, in the longest language. */
const totalLength = (thing: Wire): number => {
  const longest = (key: string): number =>
    Math.max(
      ...[thing[key], ...Object.values(asWire(thing[`${key}_localizations`]))].map(
        (text) => asText(text).length,
      ),
    );
  return (
    longest('name') +
    longest('description') +
    asText(thing['value']).length +
    [...asWires(thing['options']), ...asWires(thing['choices'])].reduce(
      (sum, part) => sum + totalLength(part),
      0,
    )
  );
};

const checkCommand = (command: Wire, path: string): void => {
  if ((command['type'] ?? 1) !== 1) return checkLength(command['name'], `${path}.name`, 32, 1);
  checkTexts(command, path);
  checkOptions(asWires(command['options']), `${path}.options`);
  if (totalLength(command) > MAX_TOTAL)
    throw invalid(path, 'APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)');
  return undefined;
};

const scopeOf = ({ state, params }: Call): string => {
  if (params['application'] !== state.applicationId) throw refusal('missingAccess');
  if (params['guild'] !== undefined && !state.guilds.has(params['guild'])) throw refusal('missingAccess');
  return params['guild'] ?? '';
};

const register: Handler = (call) => {
  const { state } = call;
  const scope = scopeOf(call);
  const commands = asWires(call.json);
  checkCount(commands, 'commands', 100);
  for (const [at, command] of commands.entries()) checkCommand(command, `${at}`);
  checkUnique(commands, '', 'APPLICATION_COMMANDS_DUPLICATE_NAME');
  const old = state.commands.get(scope) ?? [];
  const registered = commands.map((command) => ({
    type: 1,
    default_member_permissions: null,
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    nsfw: false,
    ...command,
    // Commands of one server have no availability.
    ...(scope === '' ? {} : { contexts: null, integration_types: null }),
    id: old.find(({ name }) => name === command['name'])?.['id'] ?? state.nextId(),
    application_id: state.applicationId,
    ...(scope === '' ? {} : { guild_id: scope }),
    version: state.nextId(),
  }));
  state.commands.set(scope, registered);
  state.record({
    type: 'commandsRegistered',
    ...(scope === '' ? {} : { guildId: scope }),
    names: commands.map(({ name }) => asText(name)),
  });
  call.done('commandsRegistered');
  return ok(registered);
};

const withoutLocalizations = (thing: Wire): Wire => {
  const { name_localizations: _, description_localizations: __, ...rest } = thing;
  const nested = (key: 'options' | 'choices'): Wire =>
    rest[key] === undefined ? {} : { [key]: asWires(rest[key]).map(withoutLocalizations) };
  return { ...rest, ...nested('options'), ...nested('choices') };
};

/** Only who asks for them gets the texts in other languages. */
const list: Handler = (call) => {
  const commands = call.state.commands.get(scopeOf(call)) ?? [];
  return ok(call.query.get('with_localizations') === 'true' ? commands : commands.map(withoutLocalizations));
};

export const commandRoutes: readonly Route[] = [
  '/applications/:application/commands',
  '/applications/:application/guilds/:guild/commands',
].flatMap((route): readonly Route[] => [
  { method: 'GET', route, handle: list },
  { method: 'PUT', route, handle: register },
]);

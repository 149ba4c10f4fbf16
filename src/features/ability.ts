import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Requester, requesterOfCall, requesterOfMessage } from '#src/kernel/people/requester.ts';
import { askAfterOthers } from '#src/kernel/agent/after-others.ts';
import type { Command, TypedForm } from '#src/kernel/chat/command.ts';
import type {
  CommandDefinition,
  CommandFlags,
  CommandOption,
  OptionFilling,
  Subcommand,
} from '#src/kernel/chat/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Locale, Localized } from '#src/kernel/locale.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import {
  defineTool,
  type Tool,
  type ToolExecutionContext,
  toolInput,
  type ToolResult,
} from '#src/kernel/agent/tool.ts';
import { accountResult, commandResult } from '#src/markets/answers/command-result.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { askedVerb, type AskedVerb, verbs } from '#src/reading/asked-verb.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import type { FeatureQueries } from './feature.ts';

/** What somebody has typed for an action. */
export interface TypedWords {
  /** Without the name of the command and the verb. */
  readonly words: readonly string[];
  readonly flags: CommandFlags;
  readonly ctx: Pick<
    TurnContext,
    'chatType' | 'forwarded' | 'isAdmin' | 'locale' | 'managesGuild' | 'media' | 'rawBody' | 'sessionKey'
  >;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

/** One thing that an action is told: an option of the command, a property of the tool's input, or both. */
interface Field<Value> {
  /** What models pass. Absent: only people say it. */
  readonly input?: () => z.ZodType<Value>;
  /** What people fill in. Absent: only models say it. */
  readonly option?: CommandOption;
  /** Its value in typed words. Absent: the action reads all its words itself, or `usual`. */
  readonly read?: (typed: TypedWords) => Steps<Value> | Value;
  /** Its value where nothing is said. */
  readonly usual?: Value;
  /** What is wrong with a typed value, in the person's language. */
  readonly refuse?: (value: Value, locale: Locale) => string | undefined;
}

type Fields<Input> = { readonly [Name in keyof Input]: Field<Input[Name]> };

/** A tool as the model is told of it. */
interface ToolText {
  readonly name: string;
  readonly description: readonly string[];
  readonly isExternal?: true;
  readonly timeoutMs?: number;
}

interface ActionTool extends ToolText {
  /** Instead of the fields of its action. */
  readonly input?: z.ZodType;
}

type Answering<Deps, Asked, Said = MarketAnswer> = (
  asked: Asked,
  deps: Deps,
  who: Requester,
  signal: AbortSignal,
) => Promise<Said>;

/** What a person is shown before a call is made, or why it is refused. */
export type Prepared<Input> =
  | {
      readonly status: 'ready';
      readonly text: string;
      /** What the call left out and the person was shown. It is made with this. */
      readonly shown?: Partial<Input>;
    }
  | { readonly status: 'refused'; readonly answer: MarketAnswer };

interface ActionSpec<Deps, Input> {
  /** Of an action of several: how it is called. `name` is its key unless given. */
  readonly name?: string;
  readonly nameKo?: string;
  /** Without one it has no form: only words and models ask for it. */
  readonly description?: Localized;
  /** Verbs before and behind what it is about, each separated by blanks. */
  readonly words?: string;
  /** `true`: the same ones; `false`: none. */
  readonly wordsBehind?: string | boolean;
  readonly typed?: Subcommand['typed'];
  readonly fills?: OptionFilling;
  /** Instead of those of its fields. */
  readonly options?: readonly CommandOption[];
  /** Instead of its one form. */
  readonly forms?: readonly Subcommand[];
  /** Adds `--all`, which shows what the short answer leaves out. */
  readonly hasDetails?: true;
  /** Default: `read`. After words of others, a person is asked before a model destroys. Only a change has a receipt. */
  readonly effect?: 'record' | 'destroy';
  readonly input?: Fields<Input>;
  /** Reads all typed words, where they come in any order. A text is what is wrong with them. */
  readonly read?: (
    typed: TypedWords,
  ) => Steps<NoInfer<Input> | string> | Promise<NoInfer<Input> | string> | NoInfer<Input> | string;
  readonly progress?: (input: Input, locale: Locale) => string;
  /** For a model's call that a person has to allow after they were shown what it does. It is never made twice. */
  readonly prepare?: Answering<Deps, Input, Prepared<NoInfer<Input>>>;
  /** What to say where a restart has lost what was shown, if the call cannot be made without it. */
  readonly unshown?: (input: Input, locale: Locale) => string | undefined;
  readonly run: Answering<Deps, Input>;
  readonly tool?: ActionTool;
}

/** An action, whatever its input. */
interface Action<Deps> {
  readonly spec: Pick<ActionSpec<Deps, never>, 'words' | 'wordsBehind' | 'effect' | 'fills' | 'tool'>;
  readonly options: readonly CommandOption[];
  readonly formsOf: (key: string) => readonly Subcommand[];
  readonly properties: () => Readonly<Record<string, z.ZodType>>;
  readonly progress: (input: unknown, locale: Locale) => string;
  readonly prepareCall?: Answering<Deps, unknown, Prepared<object>>;
  readonly unshown: (input: unknown, locale: Locale) => string | undefined;
  /** A text is what is wrong with the words. */
  readonly answerTyped: Answering<Deps, TypedWords, MarketAnswer | string>;
  readonly answerCall: Answering<Deps, unknown>;
}

const isSteps = <T>(read: Steps<T> | Promise<T> | T): read is Steps<T> =>
  typeof read === 'object' && read !== null && Symbol.iterator in read && 'next' in read;

const settled = async <T>(read: Steps<T> | Promise<T> | T, signal: AbortSignal): Promise<T> =>
  isSteps(read) ? byTime(read, signal) : read;

const isNamed = ({ isNamed: named, type }: CommandOption): boolean => named === true || type === 'flag';

export const action = <Deps, Input = object>(spec: ActionSpec<Deps, Input>): Action<Deps> => {
  const { effect, fills, nameKo = '', description, typed, prepare, run } = spec;
  const fields = Object.entries<Field<unknown>>((spec.input ?? {}) as Record<string, Field<unknown>>);
  // What is typed in its place stands before what is named.
  const options = spec.options ?? [
    ...fields
      .flatMap(([, { option }]) => (option ? [option] : []))
      .toSorted((one, other) => Number(isNamed(one)) - Number(isNamed(other))),
    ...(spec.hasDetails ? [ALL] : []),
  ];
  const inputFrom = async (asked: TypedWords, signal: AbortSignal): Promise<Input | string> => {
    if (spec.read) return settled(spec.read(asked), signal);
    const values: Record<string, unknown> = {};
    for (const [name, { read, usual }] of fields)
      values[name] = read ? await settled(read(asked), signal) : usual;
    return values as Input;
  };
  // A tool of several actions has properties of others, too.
  const inputOfCall = (input: unknown): Input => {
    if (fields.length === 0) return input as Input;
    const given = new Map(Object.entries(input as object));
    return Object.fromEntries(fields.map(([name, { usual }]) => [name, given.get(name) ?? usual])) as Input;
  };
  const ask: Answering<Deps, Input> = async (input, ...rest) => {
    const answer = await run(input, ...rest);
    if (effect !== undefined || answer.receipt === undefined) return answer;
    const { receipt: _of, ...told } = answer;
    return told;
  };
  return {
    spec,
    options,
    formsOf: (key) => {
      if (spec.forms || !description) return spec.forms ?? [];
      const form = { name: spec.name ?? key, nameKo, description };
      return [
        {
          ...form,
          ...(typed !== undefined && { typed }),
          ...(spec.words !== undefined && { words: spec.words.split(' ') }),
          ...(fills && { fills }),
          ...(options.length > 0 && { options }),
        },
      ];
    },
    properties: () =>
      Object.fromEntries(fields.flatMap(([name, { input }]) => (input ? [[name, input()]] : []))),
    progress: (input, locale) => spec.progress?.(input as Input, locale) ?? '',
    ...(prepare && { prepareCall: (input: unknown, ...rest) => prepare(inputOfCall(input), ...rest) }),
    unshown: (input, locale) => spec.unshown?.(input as Input, locale),
    answerTyped: async (asked, deps, who, signal) => {
      const input = await inputFrom(asked, signal);
      if (typeof input === 'string') return input;
      const refused = fields.flatMap(
        ([name, { refuse }]) => refuse?.(input[name as keyof Input], asked.ctx.locale) ?? [],
      );
      return refused[0] ?? ask(input, deps, who, signal);
    },
    answerCall: (input, ...rest) => ask(inputOfCall(input), ...rest),
  };
};

/** Several actions as one tool, which names the action. */
interface SharedTool<Key extends string = string> extends ToolText {
  /** The actions that models may ask for, by their keys. */
  readonly actions: readonly [Key, ...Key[]];
  readonly usual?: Key;
  readonly progress: (key: Key, locale: Locale) => string;
}

interface AbilitySpec<Deps, Queries, Key extends string> extends Pick<
  CommandDefinition,
  'name' | 'aliases' | 'description' | 'usage' | 'examples'
> {
  /** `own` is a person's account data: commands show it to them alone, and groups get no tool for it. */
  readonly concern: 'market' | 'own';
  readonly queries?: Queries;
  /** With one action, the command has its options; with several, a subcommand for each of their forms. */
  readonly actions: Readonly<Record<string, Action<Deps>>>;
  /** The action, and the form, for words without a verb. */
  readonly unnamed?: (words: readonly string[]) => string;
  readonly formOf?: (words: readonly string[]) => string;
  /** Whether the last word may be a verb. Default: always. */
  readonly mayEndInVerb?: (words: readonly string[]) => boolean;
  /** Finds the verb. Default: `askedVerb`. */
  readonly verbIn?: typeof askedVerb<string>;
  /** Another action than the one of the verb. `typed` has all words. */
  readonly meant?: (asked: AskedVerb<string>, typed: TypedWords) => AskedVerb<string>;
  /** What else its command has. */
  readonly command?: Pick<CommandDefinition, 'readWithPicture' | 'subcommandOf' | 'takesLines'>;
  readonly tool?: SharedTool<Key>;
  readonly form?: TypedForm;
}

type Described<Deps> = AbilitySpec<Deps, unknown, string>;

interface Ability<Deps, Queries> {
  readonly queries: Queries;
  readonly tools: Readonly<Record<string, (deps: Deps) => Tool>>;
  readonly command: {
    readonly definition: CommandDefinition;
    readonly create: (deps: Deps & { readonly symbols: Pick<SymbolSearch, 'resolve'> }) => Command;
  };
}

/** The command and the tools of a feature, which ask and answer the same. Adding one is an entry in `index.ts`. */
export const defineAbility = <Deps, const Key extends string, const Queries extends FeatureQueries>(
  spec: AbilitySpec<Deps, Queries, Key>,
): Ability<Deps, Queries> => {
  const described = spec as unknown as Described<Deps>;
  const definition = definitionOf(described);
  const chosen = chooser(described);
  const { concern, actions, tool: shared, form } = described;
  const own = Object.values(actions).flatMap((each) =>
    each.spec.tool ? [[each.spec.tool.name, toolOf(each, each.spec.tool, concern)] as const] : [],
  );
  return {
    queries: (spec.queries ?? {}) as Queries,
    tools: Object.fromEntries([
      ...own,
      ...(shared ? [[shared.name, sharedTool(shared, described)] as const] : []),
    ]),
    command: {
      definition,
      create: (deps) => ({
        definition,
        ...(form && { form }),
        execute: async (args, ctx, signal, flags = new Map()) => {
          const line = { words: args, flags, ctx, symbols: deps.symbols };
          const { action: asked, words } = chosen(line);
          const typed = { ...line, words };
          const said = await of(actions, asked).answerTyped(typed, deps, requesterOfMessage(ctx), signal);
          if (typeof said === 'string') return { content: said, ephemeral: true };
          return concern === 'own' ? accountResult(said, ctx) : commandResult(said, flags);
        },
      }),
    },
  };
};

const of = <Deps>(actions: Readonly<Record<string, Action<Deps>>>, key: string): Action<Deps> => {
  const found = actions[key];
  if (!found) throw new Error(`There is no action "${key}"`);
  return found;
};

const definitionOf = <Deps>({
  name,
  aliases,
  description,
  usage,
  examples,
  concern,
  actions,
  unnamed,
  formOf = unnamed,
  command,
}: Described<Deps>): CommandDefinition => {
  const [only, ...others] = Object.values(actions);
  return {
    name,
    aliases,
    description,
    usage,
    ...(examples && { examples }),
    category: 'finance',
    ...(concern === 'own' ? { isPrivate: true as const } : { isHarmless: true as const }),
    ...(only && others.length === 0
      ? { options: only.options, ...(only.spec.fills && { fills: only.spec.fills }) }
      : {
          subcommands: Object.entries(actions).flatMap(([key, each]) => each.formsOf(key)),
          subcommandOf: (words, named) => named ?? formOf?.(words),
        }),
    ...command,
  };
};

/** The action of typed words: of their verb, or the one for words without any. */
const chooser = <Deps>({
  actions,
  unnamed,
  mayEndInVerb,
  verbIn = askedVerb,
  meant,
}: Described<Deps>): ((typed: TypedWords) => AskedVerb<string>) => {
  const entries = Object.entries(actions);
  const verbsOf = (place: 'words' | 'wordsBehind'): ReadonlyMap<string, string> =>
    verbs(
      entries.map(([key, { spec }]) => [key, (spec[place] === true ? spec.words : spec[place]) || undefined]),
    );
  const first = verbsOf('words');
  const last = verbsOf('wordsBehind');
  const usual = (words: readonly string[]): string => unnamed?.(words) ?? entries[0]?.[0] ?? '';
  return (typed) => {
    const { words } = typed;
    const ends = mayEndInVerb?.(words) === false ? new Map<string, string>() : last;
    const asked = verbIn(words, first, ends) ?? { action: usual(words), words };
    return meant?.(asked, typed) ?? asked;
  };
};

/** What the tools of all abilities have in common. */
const finance = ({ name, description, isExternal, timeoutMs }: ToolText, concern: 'market' | 'own') => ({
  name,
  description: description.join(' '),
  group: 'finance' as const,
  ...(isExternal && { isExternal }),
  ...(timeoutMs !== undefined && { timeoutMs }),
  accessesSensitiveData: concern === 'own',
});

/** The addresses of headlines may be opened. */
const withLinks = (result: ToolResult, { links = [] }: MarketAnswer): ToolResult =>
  links.length === 0 ? result : { ...result, linkSource: { from: 'headlines', urls: links } };

/** The same call made again, after a restart too, has the same id. */
const requesterOf = (name: string, input: unknown, context: ToolExecutionContext): Requester =>
  requesterOfCall(
    context,
    `${name}:${createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16)}`,
  );

/** Few questions are open at once; older ones are dropped. */
const MAX_SHOWN = 1_000;

const toolOf =
  <Deps>(
    { spec, properties, progress, prepareCall, unshown, answerCall }: Action<Deps>,
    text: ActionTool,
    concern: 'market' | 'own',
  ) =>
  (deps: Deps): Tool => {
    /** What questions have shown, by the id of the call, until it is made. Lost on restart. */
    const shown = new LRUCache<string, object>({ max: MAX_SHOWN });
    return defineTool({
      ...finance(text, concern),
      input: text.input ?? toolInput(() => z.object(properties())),
      ...(spec.effect === 'destroy' && { approvalFor: (_input, context) => askAfterOthers(context) }),
      ...(prepareCall && {
        isTransactional: true,
        prepare: async (input, context, signal) => {
          const who = requesterOf(text.name, input, context);
          const prepared = await prepareCall(input, deps, who, signal);
          if (prepared.status === 'refused')
            return { status: 'refused', result: toolResult(prepared.answer) };
          shown.set(who.requestId, prepared.shown ?? {});
          return { status: 'ready', summary: prepared.text };
        },
      }),
      progress,
      run: async (input, context, signal) => {
        const who = requesterOf(text.name, input, context);
        const seen = shown.get(who.requestId);
        shown.delete(who.requestId);
        const lost = !seen && context.isResumed ? unshown(input, context.locale) : undefined;
        if (lost !== undefined) return { content: lost, isError: true };
        const answer = await answerCall({ ...(input as object), ...seen }, deps, who, signal);
        return withLinks(toolResult(answer), answer);
      },
    });
  };

const sharedTool =
  <Deps>(text: SharedTool, { actions, concern }: Described<Deps>) =>
  (deps: Deps): Tool => {
    const keys = z.enum(text.actions);
    const parts = Object.entries(actions).filter(([key]) => text.actions.includes(key));
    return defineTool({
      ...finance(text, concern),
      input: toolInput(() =>
        z
          .object({ action: text.usual === undefined ? keys : keys.default(text.usual) })
          .extend(Object.assign({}, ...parts.map(([, each]) => each.properties())) as object),
      ),
      approvalFor: ({ action: key }, context) =>
        of(actions, key).spec.effect === 'destroy' ? askAfterOthers(context) : undefined,
      progress: ({ action: key }, locale) => text.progress(key, locale),
      run: async (input, context, signal) => {
        const who = requesterOf(text.name, input, context);
        return toolResult(await of(actions, input.action).answerCall(input, deps, who, signal));
      },
    });
  };

/** Reads all words as names, one more than `limit` where there are too many. */
export const names =
  (limit: number) =>
  ({ words, symbols }: TypedWords): Steps<readonly string[]> =>
    namesIn(words, symbols, limit);

/** An option of the command: one that takes words, unless `how` says more. */
export const option = (
  name: string,
  nameKo: string,
  { ko, en, ...how }: Localized & Partial<Omit<CommandOption, 'name' | 'nameKo' | 'description'>>,
): CommandOption => ({ name, nameKo, description: { ko, en }, type: 'text', ...how });

/** `--all` */
const ALL = option('all', '전체', {
  ko: '간단한 답에서 뺀 내용까지 모두 보여 줍니다',
  en: 'shows all that the short answer leaves out',
  type: 'flag',
});

export const hasFlag =
  (...anyOf: readonly string[]) =>
  ({ flags }: TypedWords): boolean | undefined =>
    anyOf.some((name) => flags.has(name));

/** What people add to say how: `--repeat`. Its Korean name will do, too. */
export const flag = (name: string, nameKo: string, description: Localized): Field<boolean | undefined> => ({
  option: option(name, nameKo, { ...description, type: 'flag' }),
  read: hasFlag(name, nameKo),
});

interface Limits {
  readonly least?: number;
  readonly most: number;
  readonly texts: (locale: Locale) => {
    readonly usage?: () => string;
    readonly tooMany: (p: { readonly limit: number }) => string;
  };
}

/** Asks for names, or says that there are too many. */
export const limited =
  ({ least = 0, most, texts }: Limits) =>
  ({ length }: readonly unknown[], locale: Locale): string | undefined => {
    const { usage, tooMany } = texts(locale);
    if (usage && length < least) return usage();
    return length > most ? tooMany({ limit: most }) : undefined;
  };

import { counted } from './counted.ts';
import { portfolioEn } from './portfolio.ts';
import { portfolioActionsEn } from './portfolio-actions.ts';
import { portfolioImportEn } from './portfolio-import.ts';
import { performanceEn } from './performance.ts';
import { rebalanceEn } from './rebalance.ts';
import { taxEn } from './tax.ts';
import { alertsEn } from './alerts.ts';
import { watchlistEn } from './watchlist.ts';
import { briefingsEn } from './briefings.ts';
import { chatNoticesEn } from './chat-notices.ts';
import { identityEn } from './identity.ts';
import { symbolsEn } from './symbols.ts';
import { hoursEn } from './hours.ts';
import { analysisEn } from './analysis.ts';
import { chartsEn } from './charts.ts';
import { marketNewsEn } from './market-news.ts';
import { quotesEn } from './quotes.ts';
import { offlineEn } from './offline.ts';
import { commandsEn } from './commands.ts';
import { gatesEn } from './gates.ts';
import { channelsEn } from './channels.ts';
import { webEn } from './web.ts';
import { guildEn } from './guild.ts';
import { liveEn } from './live.ts';
import { keysEn } from './keys.ts';
import { operationsEn } from './operations.ts';
import { privacyEn } from './privacy.ts';
import { profileEn } from './profile.ts';
import { queueEn } from './queue.ts';
import { settingsEn } from './settings.ts';
import { zonesEn } from './zones.ts';

interface Limit {
  readonly found: string;
  readonly limit: string;
}

interface Model {
  readonly name: string;
  readonly id: string;
}

interface Budget {
  readonly limit: string;
  readonly left: string;
}

interface Question {
  readonly summary: string;
  readonly why: string;
  readonly minutes: number;
  /** Whose call it is, where others read along. */
  readonly asker: string | undefined;
  readonly isRepeated: boolean;
}

const requests = (count: number): string => counted(count, 'request');

interface NoAnswer {
  readonly errorId: string;
  /** "in 40 seconds", or empty where nobody knows. */
  readonly wait: string;
}

/** English, and the shape that every other language has to fill. */
export const en = {
  commands: commandsEn,
  portfolio: portfolioEn,
  portfolioImport: portfolioImportEn,
  portfolioActions: portfolioActionsEn,
  performance: performanceEn,
  tax: taxEn,
  rebalance: rebalanceEn,
  alerts: alertsEn,
  watchlist: watchlistEn,
  briefings: briefingsEn,
  chatNotices: chatNoticesEn,
  identity: identityEn,
  symbols: symbolsEn,
  hours: hoursEn,
  analysis: analysisEn,
  charts: chartsEn,
  marketNews: marketNewsEn,
  quotes: quotesEn,
  offline: offlineEn,
  live: liveEn,
  web: webEn,
  guild: guildEn,
  channels: channelsEn,
  gates: gatesEn,
  queue: queueEn,
  operations: operationsEn,
  settings: settingsEn,
  privacy: privacyEn,

  // Gates
  messageTooLong: (p: Limit) =>
    `Your message has ${counted(p.found, 'character')}; I read up to ${p.limit}. Please send it in smaller pieces.`,
  commandTooLong: (p: Limit) =>
    `Your command has ${counted(p.found, 'character')}; this one may have up to ${p.limit}. Please shorten it, or split it up.`,
  messageHoldsKey: () =>
    'Your message contains what looks like a secret key, so I neither stored nor used it. If others could read it, please revoke that key. Keys are added with `/keys add anthropic` or `/keys add openai`: as a slash command on Discord and Slack, which opens a form, or in the terminal the bot runs in.',
  queueFull: (p: { readonly limit: number }) =>
    `${counted(p.limit, 'message is', 'messages are')} still waiting in this conversation, so I did not take this one. Please send it again in a moment.`,
  personQueueFull: (p: { readonly limit: number }) =>
    `${p.limit} of your messages are still waiting, counted over all conversations, so I did not take this one. Please send it again when some of them are answered, or end an answer with \`/stop\`.`,

  // Failures
  pipelineTimeout: (p: { readonly errorId: string }) =>
    `That took too long, so I stopped. Please try again, or ask for less at once. (error ${p.errorId})`,
  laneTimeout: (p: { readonly errorId: string }) =>
    `So many people are asking at the moment that I couldn’t get to your question in time. Please send it again in a few minutes. (error ${p.errorId})`,
  laneShareTimeout: (p: { readonly errorId: string }) =>
    `Your earlier questions took so long that I couldn’t get to this one. Please send it again when they are answered. (error ${p.errorId})`,
  executionFailed: (p: { readonly errorId: string }) =>
    `Something went wrong while I was writing the answer. Please try again. (error ${p.errorId})`,
  deliveryFailed: (p: { readonly errorId: string }) =>
    `The platform did not accept all of my answer. Please ask again, or for a shorter one. (error ${p.errorId})`,
  internalError: (p: { readonly errorId: string }) =>
    `Something went wrong on my side. Please try again; if it keeps happening, tell the operator. (error ${p.errorId})`,
  noAnswer: {
    'rate-limited': (p: NoAnswer) =>
      `The AI service has reached its limit. Please ask again ${p.wait || 'in a minute'}. (error ${p.errorId})`,
    unavailable: (p: NoAnswer) =>
      `The AI service cannot be reached at the moment. Please ask again ${p.wait || 'in a few minutes'}; \`/price\` works meanwhile. (error ${p.errorId})`,
    'key-refused': (p: NoAnswer) =>
      `The AI service does not accept this bot's key. Please tell the operator. (error ${p.errorId})`,
    'too-long': (p: NoAnswer) =>
      `This conversation has become too long for the model. Start a new one with \`/reset\` and ask again. (error ${p.errorId})`,
    'message-too-long': (p: NoAnswer) =>
      `Your message, with the files in it, is longer than the model can read at once. Please shorten it, or send it in parts. (error ${p.errorId})`,
    refused: (p: NoAnswer) =>
      `The model declined to answer this. Please put it another way. (error ${p.errorId})`,
    'message-refused': (p: NoAnswer) =>
      `The AI service refused this message, so I could not answer it. Please rephrase it and send it again. (error ${p.errorId})`,
    empty: (p: NoAnswer) =>
      `The model gave only empty answers. Please put the question another way. (error ${p.errorId})`,
    'user-budget': (p: NoAnswer) =>
      `Your budget for today is used up. You can ask again ${p.wait || 'tomorrow'}; commands such as \`/price\` still work. (error ${p.errorId})`,
    'total-budget': (p: NoAnswer) =>
      `This bot's budget for today is used up. You can ask again ${p.wait || 'tomorrow'}; commands such as \`/price\` still work. (error ${p.errorId})`,
    'budget-busy': (p: NoAnswer) =>
      `Other questions under way have reserved what is left of today's budget. Please ask again in a minute. (error ${p.errorId})`,
  },
  /** For the chat in which an alert was set, where its owner cannot be written to in private. */
  alertNotDelivered: () =>
    'One of your alerts came true, but I cannot send you direct messages. Please allow them, and I will send it within the hour; or set your alerts again with `here`, so that they ring in this channel.',
  stopped: () => 'Stopped.',
  emptyAnswer: () => 'I have no answer to that. Please put it another way.',
  answerCut: () => '_The answer ended here at its length limit. Ask me to go on, or for a shorter one._',
  maxTurns: () => 'I stopped here because this needed too many steps. Please ask for a smaller part of it.',

  // Commands
  unknownCommand: (p: { readonly name: string; readonly nearest: string }) =>
    `There is no command \`/${p.name}\`. Did you mean \`/${p.nearest}\`? \`/help\` lists them all.`,
  missingRole: (p: { readonly name: string }) => `\`/${p.name}\` is for administrators.`,
  cooldown: (p: { readonly name: string; readonly wait: string }) =>
    `\`/${p.name}\` can be used again ${p.wait}.`,
  helpTitle: () => '**What I can do**',
  helpFooter: () => 'Or just ask: "How is Apple doing today?" — `/help <command>` explains one command.',
  helpUsage: (p: { readonly usage: string }) => `Usage: \`${p.usage}\``,
  helpAliases: (p: { readonly aliases: string }) => `Also: ${p.aliases}`,
  helpUnknown: (p: { readonly name: string }) =>
    `There is no command \`${p.name}\`. \`/help\` lists them all.`,
  categories: { general: 'General', finance: 'Markets', admin: 'Administration', debug: 'Diagnostics' },
  resetDone: () => 'This conversation starts over; I no longer use what was said before.',
  resetDoneBy: (p: { readonly name: string }) =>
    `${p.name} started this conversation over; I no longer use what was said before.`,
  resetNotTakenPart: () =>
    'Only people who took part in this conversation, and server admins, can start it over. Ask one of them to send `/reset`.',
  resetManagersOnly: () =>
    'This conversation is shared by the whole channel. Only server admins and bot administrators can start it over: please ask one of them.',
  resetNotYours: () =>
    'Somebody else has an answer under way here, or a question that is not decided yet. Only a bot administrator or a server admin can start this conversation over now.',
  resetNothing: () => 'There was nothing to reset: this conversation is already empty.',

  sampleMark: () => '⚠️ **SAMPLE** — made-up example data, not market prices.',
  disclaimer: () => '_This is not investment advice; decisions and their consequences are your own._',

  // Models, usage and keys
  models: {
    current: (p: Model) => `**${p.name}** (\`${p.id}\`) answers in this conversation.`,
    chosen: () => 'It was chosen for this conversation.',
    configured: () => 'It is the configured model.',
    noneUsable: () => 'No key is switched on, so nothing else can answer.',
    price: (p: { readonly input: string; readonly output: string; readonly asOf: string }) =>
      `A million tokens: ${p.input} in, ${p.output} out (as of ${p.asOf})`,
    priceUnknown: () => 'price unknown',
    free: () => 'free of charge',
    fallbacks: (p: { readonly names: string }) => `If it does not answer: ${p.names}`,
    deprecated: () => 'deprecated',
    endOfLife: (p: { readonly date: string }) => `end of life ${p.date}`,
    hint: () =>
      '`/model list` shows the models to choose from, `/model <name>` chooses one, `/model default` goes back to the configured one.',
    listTitle: () => '**Models** — context window · skill with numbers · price of a million tokens in / out',
    pricesAsOf: (p: { readonly dates: string }) => `Prices as of ${p.dates}`,
    usable: () => 'Ready to use',
    unusable: () => 'Not available here (no key, or not served)',
    contextWindow: (p: { readonly tokens: string }) => counted(p.tokens, 'token'),
    numbers: { high: 'strong with numbers', medium: 'fair with numbers', low: 'weak with numbers' },
    standIn: (p: { readonly model: string; readonly chosen: string }) =>
      `_${p.model} answered because ${p.chosen} could not; it is weaker with numbers, so please check the figures._`,
    inUse: () => 'in use here',
    switched: (p: { readonly name: string }) =>
      `From the next message on, **${p.name}** answers in this conversation.`,
    backToDefault: (p: { readonly name: string }) =>
      `From the next message on, the configured model answers here again: **${p.name}**.`,
    adminsOnly: () =>
      'In groups and channels only administrators switch the model. In a direct chat with me you can choose your own.',
    unknown: (p: { readonly name: string }) =>
      `I do not know a model "${p.name}". \`/model list\` shows the models to choose from.`,
    suggest: (p: { readonly name: string; readonly choices: string }) =>
      `I do not know a model "${p.name}". Did you mean ${p.choices}?`,
    notAllowed: (p: { readonly name: string; readonly choices: string }) =>
      `Only administrators can choose **${p.name}** here; you can choose ${p.choices}.`,
    tooSmall: (p: { readonly name: string; readonly tokens: string }) =>
      `**${p.name}** reads only ${counted(p.tokens, 'token')} at once: beside my instructions and tools there is no room for a conversation. Choose another from \`/model list\`.`,
    noKey: (p: { readonly name: string; readonly provider: string }) =>
      `**${p.name}** is not available here: no key is set for ${p.provider}, or its server does not serve it.`,
  },
  usage: {
    title: () => '**Your model usage**',
    titleAll: () => '**Model usage of everybody**',
    today: () => 'Today',
    month: () => 'This month',
    conversation: () => 'This conversation',
    nothing: () => 'Nothing used yet this month.',
    nothingToday: () => 'nothing used yet',
    requests: (p: { readonly count: number }) => requests(p.count),
    failed: (p: { readonly count: number }) => `${p.count.toLocaleString('en-US')} failed`,
    unpriced: (p: { readonly count: number }) => `without ${requests(p.count)} of unknown price`,
    tokensIn: (p: { readonly tokens: string }) => `${counted(p.tokens, 'token')} in`,
    tokensOut: (p: { readonly tokens: string }) => `${p.tokens} out`,
    fromCache: (p: { readonly share: string }) => `${p.share} from the cache`,
    limit: (p: Budget) => `Your daily limit: ${p.limit}, ${p.left} left today`,
    limitAll: (p: Budget) => `Daily limit for everybody: ${p.limit}, ${p.left} left today`,
    limitShared: (p: { readonly limit: string }) => `Daily limit for everybody together: ${p.limit}`,
  },
  stop: {
    done: () => 'I stopped the answer.',
    nothing: () => 'There is nothing to stop: no answer is under way.',
    notYours: () => 'Only the person who asked, or an administrator, can stop this answer.',
    gaveUp: (p: { readonly count: number }) =>
      `I gave up what was waiting for a decision (${p.count.toLocaleString('en-US')}); it will not be done.`,
    waitsForOthers: () =>
      'No answer is under way. What waits for a decision here can be given up only by the person who asked, or by an administrator.',
  },
  context: {
    title: (p: { readonly model: string }) => `**Context window of ${p.model}**`,
    used: (p: { readonly used: string; readonly window: string; readonly share: string }) =>
      `${p.used} of ${counted(p.window, 'token')} used (${p.share})`,
    measured: () => 'as the last request measured it',
    estimated: () => 'estimated',
    sources: {
      systemPrompt: 'Instructions',
      tools: 'Tools',
      conversation: 'Conversation',
      toolResults: 'Results of tools',
      summary: 'Summary of older parts',
    },
    tokens: (p: { readonly tokens: string }) => counted(p.tokens, 'token'),
    messages: (p: { readonly count: number }) =>
      `The model reads ${counted(p.count, 'message')} of this conversation.`,
    passed: (p: { readonly share: string; readonly tokens: string }) =>
      `⚠️ More than ${p.share} of the ${counted(p.tokens, 'token')} that this conversation may take are used.`,
    compaction: (p: { readonly tokens: string }) =>
      `From ${counted(p.tokens, 'token')} on, I shorten the older parts of this conversation.`,
    reserve: (p: { readonly tokens: string }) =>
      `${counted(p.tokens, 'token is', 'tokens are')} kept free for the answer.`,
    hint: () => '`/reset` starts anew with an empty conversation.',
  },
  export: {
    done: (p: { readonly name: string }) =>
      `Here is our conversation since its last \`/reset\`, as a file: \`${p.name}\``,
    nothing: () => 'There is nothing to export yet.',
    directOnly: () =>
      'I send conversations as a file in direct chats only. Please write `/export` to me directly.',
  },
  profile: profileEn,
  zones: zonesEn,
  keys: keysEn,

  debug: {
    verdicts: {
      allow: 'allowed',
      deny: 'refused',
      'require-approval': 'asks a person first',
      continue: 'goes on',
    },
    decidedBy: (p: { readonly stage: string; readonly reason: string }) =>
      `This is so for you in this chat. Decided by \`${p.stage}\` · ${p.reason}`,
    tools: (p: { readonly names: string }) =>
      `Which tool? For example \`/debug policy get_quote\`. There are: ${p.names}`,
    noTools: () => 'There are no tools.',
    suggest: (p: { readonly name: string; readonly choices: string }) =>
      `There is no tool \`${p.name}\`. Did you mean ${p.choices}?`,
    unknown: (p: { readonly name: string; readonly names: string }) =>
      `There is no tool \`${p.name}\`. There are: ${p.names}`,
  },

  // Approvals
  approvals: {
    ask: (p: Question) =>
      `❓ **${p.asker === undefined ? 'May I do this?' : `May I do this for ${p.asker}?`}** ${p.why}${p.isRepeated ? ' (I asked this before I was restarted.)' : ''}\n${p.summary}\n_Without an answer within ${p.minutes} ${p.minutes === 1 ? 'minute' : 'minutes'} I will not do it._`,
    why: {
      own: () => 'It changes what I keep for you.',
      transactional: () => 'It changes something that cannot simply be undone.',
      loop: () => 'I have made the same call again and again.',
      policy: () => 'This bot is set up to ask first.',
    },
    yesNo: () => 'Type **y** to allow it or **n** to refuse it.',
    byCommand: (p: { readonly code: string }) =>
      `Allow it with \`/approve ${p.code}\`, refuse it with \`/deny ${p.code}\`.`,
    approved: (p: { readonly what: string }) => `Allowed: ${p.what}`,
    denied: (p: { readonly what: string }) => `Refused, and not done: ${p.what}`,
    givenUp: (p: { readonly what: string }) => `I did not do this, it was given up: ${p.what}`,
    passedOver: (p: { readonly what: string }) =>
      `I did not do this, because you went on to something else: ${p.what}. Say **again** and I will ask once more.`,
    unclear: (p: { readonly what: string }) =>
      `I could not tell whether that was a yes or a no, so nothing is done yet. Please answer **yes** or **no**: ${p.what}?`,
    which: (p: { readonly acts: readonly string[] }) =>
      `Which one do you mean? Please answer with its number, or with **all**.\n${p.acts.map((act, index) => `${index + 1}. ${act}`).join('\n')}`,
    expired: (p: { readonly what: string }) =>
      `The time to answer was up, so this was not done: ${p.what}. Say **again** and I will ask once more.`,
    declined: () => 'All right, I did nothing.',
    notYours: () => 'Only the person who asked, or one of the configured approvers, can decide this.',
    tooLate: () => 'This was decided before, or its time was up. Nothing was done now.',
    unknown: () => 'There is no such question here, or not any more. Nothing was done.',
    nothing: () => 'Nothing is waiting for a decision here.',
    several: (p: { readonly codes: string }) =>
      `Several things are waiting for a decision. Which one?\n${p.codes}`,
    waiting: (p: { readonly codes: string }) => `This is waiting for a decision:\n${p.codes}`,
  },

  // Console
  consoleWelcome: (p: { readonly version: string }) => `FinClaw ${p.version} — terminal chat`,
  consoleHint: () =>
    'Ask about a stock, a coin or a currency, or type /help. Ctrl-C stops an answer, then the program.',
  keyEntry: {
    usage: () => 'Which provider? `/keys add anthropic` or `/keys add openai`; I then ask for the key.',
    paste: (p: { readonly provider: string }) =>
      `Paste the key for ${p.provider} and press Enter. It is not shown; an empty line cancels.`,
    added: (p: {
      readonly provider: string;
      readonly name: string;
      readonly masked: string;
      readonly isSaved: boolean;
    }) =>
      `Added: ${p.provider}, ${p.name} (${p.masked}). ${
        p.isSaved
          ? 'It is stored encrypted.'
          : 'It is kept in memory only, until the program ends: set FINCLAW_SECRET_KEY to store keys encrypted.'
      }`,
    invalid: (p: { readonly provider: string }) =>
      `This cannot be a key for ${p.provider}, so I did not add it. Please copy it again as a whole.`,
    failed: () => 'The key could not be added; the log says why. Please try again.',
    cancelled: () => 'No key was added.',
  },
  consoleFilesMissing: (p: { readonly names: string }) =>
    `I did not find ${p.names}; your message goes without it.`,
  consoleModel: (p: { readonly model: string }) => `${p.model} answers.`,
  consoleOffline: () => 'A small offline model answers.',
  consolePrices: {
    live: () => 'Prices come from Yahoo Finance and Upbit.',
    sample: () => 'All prices are SAMPLE data: made up, to try things out.',
    undecided: () =>
      'Prices come from Yahoo Finance and Upbit; where they cannot be reached, they are SAMPLE data.',
  },
  consoleInvalidUtf8: (p: { readonly line: number }) =>
    `Line ${p.line} is not valid UTF-8, so I left it out. Please save the text as UTF-8 and send it again.`,
  consoleNotStored: () =>
    'Your message could not be stored, so I did not take it. Please check disk space and try again.',
  consoleGoodbye: () => 'Goodbye.',
};

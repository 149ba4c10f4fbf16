interface Limit {
  readonly found: string;
  readonly limit: string;
}

/** English, and the shape that every other language has to fill. */
export const en = {
  // Gates
  messageTooLong: (p: Limit) =>
    `Your message has ${p.found} characters; I read up to ${p.limit}. Please send it in smaller pieces.`,
  queueFull: (p: { readonly limit: number }) =>
    `${p.limit} of your messages are still waiting, so I did not take this one. Please send it again in a moment.`,

  // Failures
  pipelineTimeout: (p: { readonly errorId: string }) =>
    `That took too long, so I stopped. Please try again, or ask for less at once. (error ${p.errorId})`,
  executionFailed: (p: { readonly errorId: string }) =>
    `Something went wrong while I was writing the answer. Please try again. (error ${p.errorId})`,
  deliveryFailed: (p: { readonly errorId: string }) =>
    `The platform did not take all of my answer. Please ask again, or for a shorter one. (error ${p.errorId})`,
  internalError: (p: { readonly errorId: string }) =>
    `Something went wrong on my side. Please try again; if it stays, tell the operator. (error ${p.errorId})`,
  stopped: () => 'Stopped.',
  emptyAnswer: () => 'I have no answer to that. Please put it another way.',
  maxTurns: () => 'I stopped here because this needed too many steps. Please ask for a smaller part of it.',

  // Commands
  unknownCommand: (p: { readonly name: string; readonly nearest: string }) =>
    `There is no command \`/${p.name}\`. Did you mean \`/${p.nearest}\`? \`/help\` lists them all.`,
  missingRole: (p: { readonly name: string }) => `\`/${p.name}\` is for administrators.`,
  cooldown: (p: { readonly name: string; readonly seconds: number }) =>
    `\`/${p.name}\` can be used again in ${p.seconds} s.`,
  helpTitle: () => '**What I can do**',
  helpFooter: () => 'Or just ask: "How is Apple doing today?" — `/help <command>` explains one command.',
  helpUsage: (p: { readonly usage: string }) => `Usage: \`${p.usage}\``,
  helpAliases: (p: { readonly aliases: string }) => `Also: ${p.aliases}`,
  helpUnknown: (p: { readonly name: string }) =>
    `There is no command \`${p.name}\`. \`/help\` lists them all.`,
  categories: { general: 'General', finance: 'Markets', admin: 'Administration', debug: 'Diagnostics' },
  resetDone: () => 'This conversation starts anew; I no longer look at what was said before.',
  resetNothing: () => 'There was nothing to reset: this conversation is already empty.',
  priceUsage: () => 'Which one? Give a name or a ticker, for example `/price AAPL` or `/price 삼성전자`.',
  tooManySymbols: (p: { readonly limit: number }) => `Up to ${p.limit} symbols at once, please.`,

  // Symbols and quotes
  symbolUnknown: (p: { readonly query: string }) =>
    `I do not know "${p.query}". Please check the name or give the ticker, for example \`AAPL\` or \`005930\`.`,
  symbolSuggest: (p: { readonly query: string; readonly choices: string }) =>
    `I do not know "${p.query}". Did you mean ${p.choices}?`,
  symbolAmbiguous: (p: { readonly query: string; readonly choices: string }) =>
    `"${p.query}" could be several: ${p.choices}. Which one do you mean?`,
  quoteUnavailable: (p: { readonly name: string }) =>
    `There is no price for ${p.name} at the moment. Please try again later.`,
  quote: {
    change: 'from the previous close',
    dayRange: 'day',
    yearRange: '52 weeks',
    volume: 'volume',
    asOf: 'as of',
    source: 'source',
    sampleSource: 'sample data',
    points: 'points',
    sessionStates: {
      pre: 'pre-market',
      open: 'market open',
      after: 'after hours',
      closed: 'market closed',
      unknown: 'session unknown',
    },
  },
  sampleMark: () => '⚠️ **SAMPLE** — made-up example data, not market prices.',
  disclaimer: () => '_This is not investment advice; decisions and their consequences are your own._',

  // The offline model
  offlineNote: () => '_Answered by the offline model: it looks up quotes and nothing else._',
  offlineGreeting: () =>
    'Hello! I am FinClaw with its offline model: I can look up quotes. Try "How is Apple doing today?" or `/help`.',
  offlineThanks: () => 'You are welcome.',
  offlineCannot: () =>
    'I am only the offline model: I can look up quotes, but I cannot answer this. Try "What is the price of Apple?" or `/help`.',
  offlineAskWhich: () =>
    'Which stock, coin or currency do you mean? For example: "How is Apple doing today?"',

  // Console
  consoleWelcome: (p: { readonly version: string }) => `FinClaw ${p.version} — terminal chat`,
  consoleHint: () =>
    'Ask about a stock, a coin or a currency, or type /help. Ctrl-C stops an answer, then the program.',
  consoleOffline: () => 'A small offline model answers, on SAMPLE prices.',
  consoleInvalidUtf8: (p: { readonly line: number }) =>
    `Line ${p.line} is not valid UTF-8, so I left it out. Please save the text as UTF-8 and send it again.`,
  consoleNotStored: () =>
    'Your message could not be stored, so I did not take it. Please check disk space and try again.',
  consoleGoodbye: () => 'Goodbye.',
};

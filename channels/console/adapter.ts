import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import { approvalAction, approvalTexts, approvalQuestion } from '#src/kernel/agent/texts/approvals.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { consoleTexts } from '#channels/console/texts.ts';
import { keyEntryTexts } from '#src/kernel/agent/texts/key-entry.ts';
import type { ApprovalId, MessageId, SessionKey } from '#src/kernel/ids.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest } from '#src/kernel/agent/approvals.ts';
import { TERMINAL } from '#src/kernel/chat/terminal.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import { createCompleter } from './receive/completer.ts';
import { filesIn, NO_FILES, readFileOf } from './receive/files.ts';
import { readLines, toInboundMessage } from './receive/inbound.ts';
import { createKeyEntry } from './receive/key-entry.ts';
import { createLiveArea } from './send/live.ts';
import { drawMarkdown } from './send/markdown.ts';
import { print, renderForTerminal, showWaitingSign, withChoices, withFiles } from './send/outbound.ts';
import { drawPlot } from './send/plots.ts';
import { drawPicture, type PictureProtocol } from './send/pictures.ts';
import { createScreen, type TerminalOutput } from './send/screen.ts';
import { openTerminal, type Terminal, type TerminalHandlers } from './terminal.ts';

interface ConsoleDeps extends Uses<'clock' | 'logger'> {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: TerminalOutput;
  readonly hasColour: boolean;
  /** False for a terminal that cannot move its cursor. Default: true. */
  readonly canRedraw?: boolean;
  /** Absent: files are shown as paths alone. */
  readonly pictures?: PictureProtocol | undefined;
  /** The language of the machine. */
  readonly locale: Locale | undefined;
  readonly version: string;
  readonly stripMentions: (text: string) => string;
  /** Takes log lines, so that they stand above the line that is being typed. */
  readonly printsLog?: (print: ((line: string) => void) | undefined) => void;
}

/** The state of the chat. */
interface Chat {
  terminal: Terminal | undefined;
  lastSession: SessionKey | undefined;
  isReceiving: boolean;
  isStopping: boolean;
  /** The person knows that a question waits, and what the next Ctrl-C does. */
  isWarned: boolean;
  /** Questions that are shown and not decided. */
  readonly asked: Map<ApprovalId, ApprovalRequest>;
  readonly underWay: Set<Promise<void>>;
}

/**
 * The terminal. Messages from a keyboard may overlap. From a pipe, the next line is read after the answer to the
 * previous one, and the end of input ends the program after the last answer.
 */
export const createConsoleChannel = (deps: ConsoleDeps): ChannelPlugin => {
  const { input, output, hasColour, pictures, clock } = deps;
  const locale = deps.locale ?? 'en';
  const isInteractive = input.isTTY === true && output.isTTY === true;
  const isLive = isInteractive && deps.canRedraw !== false;
  const chat: Chat = {
    terminal: undefined,
    lastSession: undefined,
    isReceiving: false,
    isStopping: false,
    isWarned: false,
    asked: new Map(),
    underWay: new Set(),
  };

  const prompt = (): void => {
    if (chat.isReceiving) chat.terminal?.prompt();
  };
  const screen = createScreen(output, { rowsAbove: () => chat.terminal?.rowsAbove() ?? 0, redraw: prompt });
  const printLog = (line: string): void => {
    // A closed output ends the chat elsewhere.
    void screen.print(line).catch(() => undefined);
    prompt();
  };
  const live = createLiveArea({ screen, hasColour, clock });

  const say = async (text: string, reader: Locale = locale): Promise<void> => {
    if (!isInteractive) return print(output, renderForTerminal(text, hasColour));
    live.hideWaiting();
    return screen.print(
      drawMarkdown(text, { width: screen.columns(), hasColour, locale: reader }).join('\n'),
    );
  };
  /** A picture with characters. Undefined where it is no plot, or there is no room. */
  const drawn = ({ plot }: MediaAttachment, reader: Locale): string | undefined => {
    const lines = plot ? drawPlot(plot, { width: screen.columns(), hasColour, locale: reader }) : [];
    return lines.length > 0 ? lines.join('\n') : undefined;
  };
  const keyEntry = createKeyEntry({
    locale,
    say,
    hideNextLine: () => chat.terminal?.hideNextLine(),
    stripMentions: deps.stripMentions,
    logger: deps.logger,
  });

  const { submit, readPipe } = createEntry(deps, chat, isInteractive, { say, keyEntry });
  const onInterrupt = createInterrupt(deps, chat, prompt, { say, keyEntry });

  const handlersFor = createTerminalHandlers(chat, {
    locale,
    submit,
    onInterrupt,
    say,
    prompt,
    live,
    screen,
  });
  const startTerminal = (host: ChannelHost): Terminal =>
    openTerminal(
      input,
      output,
      hasColour ? styleText('cyan', '› ', { validateStream: false }) : '› ',
      handlersFor(host),
    );

  return {
    id: TERMINAL,
    capabilities: {
      maxMessageLength: 20_000,
      isOwnersTerminal: true,
      supportsMarkdown: isInteractive,
      supportsTables: isInteractive,
      ...(isInteractive ? { numbersChoices: true, showsSparklines: true } : {}),
    },
    start: async (host) => {
      chat.isReceiving = true;
      // A closed output (`… | head`) ends the chat and is not an error.
      output.on('error', () => host.requestShutdown());
      if (!isInteractive) {
        void readPipe(host).catch((error: unknown) => {
          // `close` destroys the input, which also rejects here.
          if (!chat.isReceiving) return;
          deps.logger.error('Could not read the input', { error });
          host.requestShutdown();
        });
        return;
      }
      await say(welcomeText(host, deps.version, locale));
      chat.terminal = startTerminal(host);
      chat.terminal.prompt();
      if (isLive) deps.printsLog?.(printLog);
    },
    stop: async () => {
      chat.isReceiving = false;
    },
    close: async () => {
      deps.printsLog?.(undefined);
      chat.terminal?.close();
      input.destroy();
    },
    isConnected: () => chat.isReceiving,
    send: async (message) => {
      const { payload } = message;
      if (!isInteractive) await say(`${withFiles(payload)}\n`);
      else {
        for (const media of payload.media ?? []) {
          const picture = pictures
            ? await drawPicture(media, pictures, screen.columns())
            : drawn(media, payload.locale ?? locale);
          if (picture !== undefined) await screen.print(picture);
        }
        await say(`${withChoices(message)}\n`, payload.locale);
      }
      prompt();
      return { messageId: newId<MessageId>() };
    },
    ...createApprovals(chat, say, prompt, clock),
    directTarget: async (target) => target,
    readMedia: readFileOf,
    sendTyping: async () => {
      if (isLive) live.showWaiting();
      else await showWaitingSign(output, hasColour);
    },
    ...(isLive ? { openLive: (_target, options) => live.open(options) } : {}),
  };
};

interface Speech {
  readonly say: (text: string, reader?: Locale) => Promise<void>;
  readonly keyEntry: ReturnType<typeof createKeyEntry>;
}

/** The input of the person or of a pipe. */
const createEntry = (deps: ConsoleDeps, chat: Chat, isInteractive: boolean, { say, keyEntry }: Speech) => {
  const { input, clock } = deps;
  const t = consoleTexts(deps.locale ?? 'en');
  /** Resolves when the message has been answered. */
  const submit = async (text: string, host: ChannelHost): Promise<void> => {
    chat.isWarned = false;
    try {
      if (await keyEntry.handle(text, host)) return;
      // Enter alone says nothing.
      if (text.trim() === '') return;
      // Files are read for a person at the keyboard only; a pipe may carry untrusted text.
      const { media, missing } = isInteractive ? filesIn(text) : NO_FILES;
      if (missing.length > 0) await say(t.filesMissing({ names: missing.join(', ') }));
      const receipt = await host.receive(toInboundMessage(text, media, deps.locale, clock));
      if (receipt.outcome !== 'accepted') return;
      chat.lastSession = receipt.sessionKey;
      await receipt.settled;
    } catch (error) {
      deps.logger.error('Could not store a message', { error });
      // If the output is closed, its error event has already ended the chat.
      await say(t.notStored()).catch(() => undefined);
    }
  };

  const readPipe = async (host: ChannelHost): Promise<void> => {
    for await (const line of readLines(input)) {
      if (!chat.isReceiving) return;
      if (line.status === 'ok') await submit(line.text, host);
      else await say(t.invalidUtf8({ line: line.lineNumber }));
    }
    host.requestShutdown();
  };

  return { submit, readPipe };
};

/** Ctrl-C: leaves the entry of a key, warns of a question, stops an answer, or ends the program. */
const createInterrupt = (
  { clock, logger, locale = 'en' }: ConsoleDeps,
  chat: Chat,
  prompt: () => void,
  { say, keyEntry }: Speech,
) => {
  const t = consoleTexts(locale);
  /** The first question that can still be answered. */
  const waiting = (): ApprovalRequest | undefined =>
    chat.asked.values().find(({ expiresAt }) => Temporal.Instant.compare(clock.now(), expiresAt) < 0);

  const sayAndPrompt = (text: string): void => {
    void say(text)
      .catch(() => undefined)
      .finally(prompt);
  };

  const onInterrupt = (host: ChannelHost): void => {
    if (keyEntry.cancel()) {
      sayAndPrompt(keyEntryTexts(locale).cancelled());
      return;
    }
    const question = waiting();
    if (question && !chat.isWarned) {
      chat.isWarned = true;
      sayAndPrompt(t.approvalWaits({ what: approvalAction(question) }));
      return;
    }
    if (chat.underWay.size === 0) {
      chat.terminal?.close();
      return;
    }
    // A second Ctrl-C during a stop means that the person wants to leave at once.
    if (chat.isStopping) {
      host.requestShutdown();
      return;
    }
    if (!chat.lastSession) return;
    chat.isStopping = true;
    void host.queue
      .stop(chat.lastSession)
      .then((outcome) => {
        if (outcome === 'idle') host.requestShutdown();
      })
      .catch((error: unknown) => logger.error('Could not stop an answer', { error }))
      .finally(() => {
        chat.isStopping = false;
      });
  };

  return onInterrupt;
};

interface HandlerDeps {
  readonly locale: Locale;
  readonly submit: (text: string, host: ChannelHost) => Promise<void>;
  readonly onInterrupt: (host: ChannelHost) => void;
  readonly say: Speech['say'];
  readonly prompt: () => void;
  readonly live: ReturnType<typeof createLiveArea>;
  readonly screen: ReturnType<typeof createScreen>;
}

const createTerminalHandlers =
  (chat: Chat, { locale, submit, onInterrupt, say, prompt, live, screen }: HandlerDeps) =>
  (host: ChannelHost): TerminalHandlers => ({
    onMessage: (text) => {
      if (!chat.isReceiving) return;
      const work: Promise<void> = submit(text, host).finally(() => {
        chat.underWay.delete(work);
        if (chat.underWay.size > 0) return;
        live.hideWaiting();
        prompt();
      });
      chat.underWay.add(work);
    },
    onEntered: screen.entered,
    onInterrupt: () => onInterrupt(host),
    onEnd: () => {
      if (!chat.isReceiving) return;
      void Promise.all(chat.underWay)
        .then(() => say(consoleTexts(locale).goodbye()))
        .catch(() => undefined)
        .finally(host.requestShutdown);
    },
    complete: createCompleter({
      host,
      locale,
      columns: screen.columns,
      print: async (text) => {
        await say(text);
        prompt();
      },
    }),
  });

const welcomeText = (host: ChannelHost, version: string, locale: Locale): string => {
  const t = consoleTexts(locale);
  const model = host.describeModel();
  const lines = [
    `**${t.welcome({ version })}**`,
    model.isOffline ? t.offline() : t.model({ model: model.name }),
    t.prices[host.describeMarket()](),
    t.hint(),
  ];
  return `${lines.join('\n')}\n`;
};

/** Questions are answered by typing. */
const createApprovals = (
  chat: Chat,
  say: Speech['say'],
  prompt: () => void,
  clock: Clock,
): Pick<ChannelPlugin, 'requestApproval' | 'closeApproval'> => ({
  requestApproval: async (_target, request) => {
    chat.asked.set(request.id, request);
    const how = approvalTexts(request.locale).yesNo();
    await say(`${approvalQuestion(request, clock)}\n${how}\n`, request.locale);
    prompt();
    return {};
  },
  closeApproval: async (_target, { id }) => {
    chat.asked.delete(id);
    chat.isWarned = false;
  },
});

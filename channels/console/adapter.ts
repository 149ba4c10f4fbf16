import { styleText } from 'node:util';
import { approvalAction, approvalMessages, approvalQuestion } from '#src/kernel/messages/approvals.ts';
import type { ChannelHost, ChannelPlugin } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { consoleMessages } from '#channels/console/messages.ts';
import { keyEntryMessages } from '#src/kernel/messages/key-entry.ts';
import type { ApprovalId, MessageId, SessionKey } from '#src/kernel/ids.ts';
import type { ApprovalRequest } from '#src/kernel/ports.ts';
import type { Clock } from '#src/platform/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { createCompleter } from './completer.ts';
import { filesIn, NO_FILES, readFileOf } from './files.ts';
import { CONSOLE, readLines, toInboundMessage } from './inbound.ts';
import { createKeyEntry } from './key-entry.ts';
import { createLiveArea } from './live.ts';
import { drawMarkdown } from './markdown.ts';
import { print, renderForTerminal, showWaitingSign, withChoices, withFiles } from './outbound.ts';
import { drawPicture, type PictureProtocol, type PictureTerminal } from './pictures.ts';
import { type KeyboardInput, QUESTIONS, takeReplies } from './replies.ts';
import { createScreen, type TerminalOutput } from './screen.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export interface ConsoleDeps {
  readonly input: KeyboardInput;
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
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /** Takes log lines, so that they stand above the line that is being typed. */
  readonly printsLog?: (print: ((line: string) => void) | undefined) => void;
}

/**
 * The terminal. Messages from a keyboard may overlap. From a pipe, the next line is read after the answer to the
 * previous one, and the end of input ends the program after the last answer.
 */
export const createConsoleChannel = (deps: ConsoleDeps): ChannelPlugin => {
  const { input, output, hasColour, clock } = deps;
  const locale = deps.locale ?? 'en';
  const t = consoleMessages(locale);
  const isInteractive = input.isTTY === true && output.isTTY === true;
  const isLive = isInteractive && deps.canRedraw !== false;
  const replies = isLive && deps.pictures === 'ask' ? takeReplies(input, clock) : undefined;
  const underWay = new Set<Promise<void>>();
  /** Questions that are shown and not decided. */
  const asked = new Map<ApprovalId, ApprovalRequest>();
  let terminal: Terminal | undefined;
  let lastSession: SessionKey | undefined;
  let isReceiving = false;
  let isStopping = false;
  /** The person knows that a question waits, and what the next Ctrl-C does. */
  let isWarned = false;

  const prompt = (): void => {
    if (isReceiving) terminal?.prompt();
  };
  const screen = createScreen(output, { rowsAbove: () => terminal?.rowsAbove() ?? 0, redraw: prompt });
  const printLog = (line: string): void => {
    // A closed output ends the chat elsewhere.
    void screen.print(line).catch(() => undefined);
    prompt();
  };
  const live = createLiveArea({ screen, hasColour, clock });

  const picturesOf = (): PictureTerminal | undefined => {
    const { pictures } = deps;
    return pictures === undefined || pictures === 'ask' ? replies?.pictures() : { protocol: pictures };
  };

  const say = async (text: string, reader: Locale = locale): Promise<void> => {
    if (!isInteractive) return print(output, renderForTerminal(text, hasColour));
    live.hideWaiting();
    return screen.print(
      drawMarkdown(text, { width: screen.columns(), hasColour, locale: reader }).join('\n'),
    );
  };
  const keyEntry = createKeyEntry({
    locale,
    say,
    hideNextLine: () => terminal?.hideNextLine(),
    stripMentions: deps.stripMentions,
    logger: deps.logger,
  });

  /** Resolves when the message has been answered. */
  const submit = async (text: string, host: ChannelHost): Promise<void> => {
    isWarned = false;
    try {
      if (await keyEntry.handle(text, host)) return;
      // Files are read for a person at the keyboard only; a pipe may carry untrusted text.
      const { media, missing } = isInteractive ? filesIn(text) : NO_FILES;
      if (missing.length > 0) await say(t.filesMissing({ names: missing.join(', ') }));
      const receipt = await host.receive(toInboundMessage(text, media, deps.locale, clock));
      if (receipt.outcome !== 'accepted') return;
      lastSession = receipt.sessionKey;
      await receipt.settled;
    } catch (error) {
      deps.logger.error('Could not store a message', { error });
      // If the output is closed, its error event has already ended the chat.
      await say(t.notStored()).catch(() => undefined);
    }
  };

  const readPipe = async (host: ChannelHost): Promise<void> => {
    for await (const line of readLines(input)) {
      if (!isReceiving) return;
      if (line.status === 'ok') await submit(line.text, host);
      else await say(t.invalidUtf8({ line: line.lineNumber }));
    }
    host.requestShutdown();
  };

  /** The first question that can still be answered. */
  const waiting = (): ApprovalRequest | undefined =>
    asked.values().find(({ expiresAt }) => Temporal.Instant.compare(clock.now(), expiresAt) < 0);

  const sayAndPrompt = (text: string): void => {
    void say(text)
      .catch(() => undefined)
      .finally(prompt);
  };

  const onInterrupt = (host: ChannelHost): void => {
    if (keyEntry.cancel()) {
      sayAndPrompt(keyEntryMessages(locale).cancelled());
      return;
    }
    const question = waiting();
    if (question && !isWarned) {
      isWarned = true;
      sayAndPrompt(t.approvalWaits({ what: approvalAction(question) }));
      return;
    }
    if (underWay.size === 0) {
      terminal?.close();
      return;
    }
    // A second Ctrl-C during a stop means that the person wants to leave at once.
    if (isStopping) {
      host.requestShutdown();
      return;
    }
    if (!lastSession) return;
    isStopping = true;
    void host.queue
      .stop(lastSession)
      .then((outcome) => {
        if (outcome === 'idle') host.requestShutdown();
      })
      .catch((error: unknown) => deps.logger.error('Could not stop an answer', { error }))
      .finally(() => {
        isStopping = false;
      });
  };

  const startTerminal = (host: ChannelHost): Terminal =>
    openTerminal(
      replies?.typed ?? input,
      output,
      hasColour ? styleText('cyan', '› ', { validateStream: false }) : '› ',
      {
        onMessage: (text) => {
          if (!isReceiving) return;
          const work: Promise<void> = submit(text, host).finally(() => {
            underWay.delete(work);
            if (underWay.size > 0) return;
            live.hideWaiting();
            prompt();
          });
          underWay.add(work);
        },
        onEntered: screen.entered,
        onInterrupt: () => onInterrupt(host),
        onEnd: () => {
          if (!isReceiving) return;
          void Promise.all(underWay)
            .then(() => say(t.goodbye()))
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
      },
    );

  return {
    id: CONSOLE,
    capabilities: {
      maxMessageLength: 20_000,
      supportsMarkdown: isInteractive,
      supportsTables: isInteractive,
      ...(isInteractive ? { numbersChoices: true, showsSparklines: true } : {}),
    },
    start: async (host) => {
      isReceiving = true;
      // A closed output (`… | head`) ends the chat and is not an error.
      output.on('error', () => host.requestShutdown());
      if (!isInteractive) {
        void readPipe(host).catch((error: unknown) => {
          // `close` destroys the input, which also rejects here.
          if (!isReceiving) return;
          deps.logger.error('Could not read the input', { error });
          host.requestShutdown();
        });
        return;
      }
      const model = host.describeModel();
      const welcome = [
        `**${t.welcome({ version: deps.version })}**`,
        model.isOffline ? t.offline() : t.model({ model: model.name }),
        t.prices[host.describeMarket()](),
        t.hint(),
      ];
      await say(`${welcome.join('\n')}\n`);
      terminal = startTerminal(host);
      // Now, because a terminal shows what it answers unless its keys are read one by one.
      if (replies) output.write(QUESTIONS);
      terminal.prompt();
      if (isLive) deps.printsLog?.(printLog);
    },
    stop: async () => {
      isReceiving = false;
    },
    close: async () => {
      deps.printsLog?.(undefined);
      terminal?.close();
      input.destroy();
    },
    isConnected: () => isReceiving,
    send: async (message, signal) => {
      const { payload } = message;
      if (!isInteractive) await say(`${withFiles(payload)}\n`);
      else {
        const pictures = picturesOf();
        for (const media of pictures ? (payload.media ?? []) : []) {
          const picture = pictures && (await drawPicture(media, pictures, screen.columns(), signal));
          if (picture !== undefined) await screen.print(picture);
        }
        await say(`${withChoices(message)}\n`, payload.locale);
      }
      prompt();
      return { messageId: newId<MessageId>() };
    },
    requestApproval: async (_target, request) => {
      asked.set(request.id, request);
      const how = approvalMessages(request.locale).yesNo();
      await say(`${approvalQuestion(request, clock)}\n${how}\n`, request.locale);
      prompt();
      return {};
    },
    closeApproval: async (_target, { id }) => {
      asked.delete(id);
      isWarned = false;
    },
    directTarget: async (target) => target,
    readMedia: readFileOf,
    sendTyping: async () => {
      if (isLive) live.showWaiting();
      else await showWaitingSign(output, hasColour);
    },
    ...(isLive ? { openLive: (_target, options) => live.open(options) } : {}),
  };
};

import type { ChannelHost } from '#src/kernel/channel.ts';
import type { Rating } from '#src/kernel/operations.ts';
import type { JoinedChat, MetPerson } from '#src/kernel/welcome.ts';

/** The part of an app that hears what people think of answers, and where the bot was added. It keeps what it is told. */
export class RatedHost {
  /** Presses of 👍 and 👎. */
  readonly verdicts: { readonly answerId: string; readonly verdict: string; readonly userId: string }[] = [];
  rating: Rating = { outcome: 'stored', text: 'Thanks.' };
  readonly feedback: ChannelHost['feedback'] = {
    rate: async (answerId, verdict, { userId }) => {
      this.verdicts.push({ answerId, verdict, userId });
      return this.rating;
    },
  };
  readonly joined: JoinedChat[] = [];
  readonly met: MetPerson[] = [];
  onWelcome: () => void = () => undefined;
  readonly welcomes: ChannelHost['welcomes'] = {
    joined: async (chat) => {
      this.onWelcome();
      this.joined.push(chat);
    },
    met: async (person) => {
      this.onWelcome();
      this.met.push(person);
    },
  };
}

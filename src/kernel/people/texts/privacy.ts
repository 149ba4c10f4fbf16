import { counted, type Locale, localized } from '#src/kernel/locale.ts';
import type { AccountCounts, AccountDataCounts, CountLabel } from '../privacy.ts';

interface Kept {
  readonly days: number;
}

interface Deleted {
  /** The deleted data with its counts, joined. */
  readonly amounts: string;
  readonly usageRecords: number;
}

interface Others {
  /** The other linked identities with their platforms. */
  readonly others: string;
}

const ko = (count: number): string => count.toLocaleString('ko-KR');

const privacyEn = {
  /** Under the first answer in a direct chat. */
  note: (p: Kept) =>
    `I keep our conversation until ${counted(p.days, 'day')} after its last message, and the settings you choose. \`/privacy\` shows what is stored, and deletes it.`,
  title: () => '**What I store about you**',
  shared: (p: Others) =>
    `Portfolios, alerts, watchlist and briefings are shared with ${p.others}. Messages, conversations, requests, reminders and the profile are counted for this platform alone: \`/privacy\` there shows those of the other account.`,
  kept: (p: Kept) =>
    `Messages, answers, ratings and requests are removed ${counted(p.days, 'day')} after they are done, a conversation the same time after its last message. Your profile, your settings, portfolios, watchlist, briefings, alerts and reminders that are still to come stay until you delete them. When I read your portfolio, alerts or other data to answer you, I log the tool’s name and the time under a pseudonym, and delete them after the same time; \`/privacy export\` shows them. Voice messages are sent to OpenAI to be transcribed, whichever model answers; I keep only the words, as part of your message.`,
  howToDelete: () => 'Download it with `/privacy export`, or delete it now with `/privacy delete`.',
  confirm: () =>
    'This deletes for good what I store about you on this platform: your messages and my answers to them, our direct conversations, your ratings of my answers, your profile, your settings, your reminders, your portfolios with every transaction, your alerts, your watchlist, your briefings and any link to another account. What was said in groups and channels stays in the conversation of those who are there, and what requests cost stays in the sums, without you. `/privacy export` gives you a copy first.',
  confirmButton: () => 'Delete all of it',
  exportButton: () => 'Export it first',
  done: (p: Deleted) =>
    `Deleted: ${p.amounts}, your profile and your settings. ${counted(p.usageRecords, 'request to models stays', 'requests to models stay')} in the sums under a code instead of your name.`,
  confirmShared: (p: Others) =>
    `**You share portfolios, alerts, watchlist and briefings with ${p.others}: they are deleted for that account too.** To leave them there, send \`/link off\` first. Messages, conversations and the profile of that account stay: \`/privacy delete\` there deletes them.`,
  doneShared: (p: Others) =>
    `What you shared with ${p.others} is deleted there too, and the link is gone. Messages on that account were not touched: \`/privacy delete\` there deletes them.`,
  left: (p: Kept) =>
    `This message of yours, and any that I am still answering, are removed after ${counted(p.days, 'day')}; what was said in groups and channels stays there.`,
  exported: (p: { readonly name: string }) =>
    `\`${p.name}\` holds what I store about you on this platform, and what you share with linked accounts. To get the messages of a linked account, send \`/privacy export\` there. The file is for you alone: please save it, and share it with nobody.`,
  exportAbout: (p: Kept) =>
    `What FinClaw stores about you on this platform, with the portfolios, alerts, watchlist and briefings that you share with linked accounts. Messages of a linked account are not in it: /privacy export there exports them. Times are UTC, amounts are decimals as text. Messages and answers are kept for ${counted(p.days, 'day')}; a whole conversation is exported with /export in its direct chat.`,
  audit: {
    title: (p: { readonly count: number }) =>
      `**Personal data, access and actions of operators: the last ${counted(p.count, 'entry', 'entries')}, the newest first**`,
    none: () =>
      'Nobody has exported, deleted or linked personal data or been let in yet, and no operator has done anything.',
    readsTitle: (p: { readonly count: number }) =>
      `**Tools that read personal data: the last ${counted(p.count, 'entry', 'entries')}, one per tool and turn**`,
    actions: {
      'tool-read': 'read by a tool',
      'privacy-export': 'exported',
      'privacy-delete': 'deleted',
      'link-code': 'link code issued',
      link: 'linked',
      'link-off': 'unlinked',
      pair: 'let in',
      'pair-deny': 'request declined',
      'pair-revoke': 'access taken back',
      backup: 'backup of all data',
      'channel-remove': 'removed from a channel',
      'support-share': 'conversation shared with operators',
      'support-revoke': 'conversation no longer shared with operators',
      'support-read': 'shared conversation read by an operator',
      'dashboard-code': 'code for the operator page issued',
      'dashboard-revoke': 'sessions on the operator page ended by a command',
      'operator-login': 'operator logged in',
      'operator-logout': 'operator logged out',
      'operator-logout-all': 'operator logged out everywhere',
      'message-replay': 'message answered again by an operator',
      'message-discard': 'dead letter discarded by an operator',
      'key-on': 'key turned on by an operator',
      'key-off': 'key turned off by an operator',
      'key-rest': 'key paused by an operator',
      'key-wake': 'key resumed by an operator',
      'approval-approve': 'approved on the operator page',
      'approval-deny': 'denied on the operator page',
    },
  },
};

const privacyKo: typeof privacyEn = {
  note: (p) =>
    `나눈 대화는 마지막 메시지로부터 ${ko(p.days)}일 동안, 직접 정하신 설정은 삭제하실 때까지 보관합니다. \`/privacy\`로 저장된 내용을 확인하고 삭제할 수 있습니다.`,
  title: () => '**저장된 내 정보**',
  shared: (p) =>
    `포트폴리오, 가격 알림, 관심종목, 브리핑은 ${p.others} 계정과 함께 사용합니다. 메시지, 대화, 요청 기록, 알림, 프로필은 이 플랫폼 기준이며, 다른 계정의 내용은 그곳에서 \`/privacy\`로 확인하실 수 있습니다.`,
  kept: (p) =>
    `메시지와 답변, 답변 평가, 요청 기록은 처리가 끝난 뒤 ${ko(p.days)}일이 지나면, 대화는 마지막 메시지로부터 그만큼 지나면 삭제됩니다. 프로필과 설정, 포트폴리오, 관심종목, 브리핑, 가격 알림, 아직 보내지 않은 알림은 직접 삭제하실 때까지 보관합니다. 답변을 위해 포트폴리오나 가격 알림 같은 정보를 읽으면 사용한 도구와 시각을 이름 대신 코드로 기록하고 같은 기간이 지나면 삭제하며, \`/privacy export\`에서 확인하실 수 있습니다. 음성 메시지는 어떤 모델이 답하든 OpenAI로 보내 글로 옮기며, 옮긴 글만 메시지의 일부로 보관합니다.`,
  howToDelete: () =>
    '파일로 받으시려면 `/privacy export`, 지금 삭제하시려면 `/privacy delete`를 입력해 주세요.',
  confirm: () =>
    '이 플랫폼에 저장된 내 정보를 완전히 삭제합니다. 메시지와 그에 대한 답변, 다이렉트 메시지 대화, 답변 평가, 프로필, 설정, 알림, 포트폴리오와 모든 거래 내역, 가격 알림, 관심종목, 브리핑, 계정 연결이 모두 지워지며 되돌릴 수 없습니다. 그룹과 채널에서 나눈 이야기는 그곳의 대화에 남고, 요청 비용은 누구의 것인지 알 수 없는 합계로만 남습니다. 사본이 필요하시면 먼저 `/privacy export`를 이용해 주세요.',
  confirmButton: () => '모두 삭제',
  exportButton: () => '먼저 파일로 받기',
  done: (p) =>
    `${p.amounts}, 프로필과 설정을 삭제했습니다. 모델 요청 기록 ${ko(p.usageRecords)}개는 이름 대신 코드로 합계에만 남습니다.`,
  confirmShared: (p) =>
    `**포트폴리오, 가격 알림, 관심종목, 브리핑은 ${p.others} 계정과 함께 사용하고 있어 그 계정에서도 삭제됩니다.** 그 계정에 남겨 두시려면 먼저 \`/link off\`를 보내 주세요. 그 계정의 메시지와 대화, 프로필은 남으며, 그곳에서 \`/privacy delete\`로 삭제하실 수 있습니다.`,
  doneShared: (p) =>
    `${p.others} 계정과 함께 사용하던 정보는 그 계정에서도 삭제되었고, 연결도 해제되었습니다. 그 계정의 메시지는 그대로 있으며, 그곳에서 \`/privacy delete\`로 삭제하실 수 있습니다.`,
  left: (p) =>
    `방금 보내신 명령어와 아직 답변 중인 메시지는 ${ko(p.days)}일 후에 삭제되며, 그룹과 채널에서 나눈 이야기는 그곳에 남습니다.`,
  exported: (p) =>
    `\`${p.name}\` 파일에 이 플랫폼에 저장된 내 정보와 연결된 계정과 함께 사용하는 정보가 들어 있습니다. 연결된 계정의 메시지는 그 계정에서 받으실 수 있습니다. 본인만 보실 수 있는 파일이니 저장해 두시고, 다른 사람과 공유하지 마세요.`,
  exportAbout: (p) =>
    `FinClaw가 이 플랫폼에 저장한 내 정보와, 연결된 계정과 함께 사용하는 포트폴리오, 가격 알림, 관심종목, 브리핑입니다. 연결된 계정의 메시지는 들어 있지 않으며, 그 계정에서 /privacy export로 받으실 수 있습니다. 시각은 UTC, 금액은 문자열로 적은 십진수입니다. 메시지와 답변은 ${ko(p.days)}일 동안 보관하며, 대화 전체는 해당 다이렉트 메시지에서 /export로 받으실 수 있습니다.`,
  audit: {
    title: (p) => `**개인정보·접근 권한·운영자 작업 기록 최근 ${ko(p.count)}건 (최신순)**`,
    none: () =>
      '개인정보를 내보내거나 삭제하거나 연결한 기록, 사용자를 승인하거나 거절한 기록, 운영자가 작업한 기록이 아직 없습니다.',
    readsTitle: (p) => `**도구가 개인정보를 읽은 기록 최근 ${ko(p.count)}건 (도구와 질문마다 한 번)**`,
    actions: {
      'tool-read': '도구가 읽음',
      'privacy-export': '내보내기',
      'privacy-delete': '삭제',
      'link-code': '연결 코드 발급',
      link: '연결',
      'link-off': '연결 해제',
      pair: '접근 승인',
      'pair-deny': '요청 거절',
      'pair-revoke': '승인 취소',
      backup: '전체 데이터 백업',
      'channel-remove': '채널에서 삭제',
      'support-share': '운영자에게 대화 공유',
      'support-revoke': '대화 공유 중단',
      'support-read': '운영자가 공유된 대화를 읽음',
      'dashboard-code': '운영 페이지 코드 발급',
      'dashboard-revoke': '명령으로 운영 페이지 세션 종료',
      'operator-login': '운영자 로그인',
      'operator-logout': '운영자 로그아웃',
      'operator-logout-all': '운영자 로그아웃(모든 곳)',
      'message-replay': '운영자가 실패한 메시지를 다시 처리함',
      'message-discard': '운영자가 실패한 메시지를 버림',
      'key-on': '운영자가 키를 켬',
      'key-off': '운영자가 키를 끔',
      'key-rest': '운영자가 키를 일시 중지함',
      'key-wake': '운영자가 키를 다시 사용함',
      'approval-approve': '운영 페이지에서 승인',
      'approval-deny': '운영 페이지에서 거절',
    },
  },
};

export const privacyTexts = localized({ en: privacyEn, ko: privacyKo });

const numbersIn = (counts: AccountCounts | AccountDataCounts): AccountCounts =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([kind, count]) =>
      typeof count === 'object' ? [] : [[kind, Number(count)]],
    ),
  );

/** One line per kind of data, for `/privacy`. */
export const countLines = (
  labels: readonly CountLabel[],
  counts: AccountDataCounts,
  locale: Locale,
): readonly string[] => {
  const all = numbersIn(counts);
  return labels.map((label) => label[locale].line(all[label.of] ?? 0, all));
};

/** `2 portfolios with 7 transactions, 3 alerts`. */
export const countAmounts = (
  labels: readonly CountLabel[],
  counts: AccountCounts | AccountDataCounts,
  locale: Locale,
): string => {
  const all = numbersIn(counts);
  return labels.flatMap((label) => label[locale].amount?.(all[label.of] ?? 0, all) ?? []).join(', ');
};

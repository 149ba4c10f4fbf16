import { counted, localized } from '#src/kernel/locale.ts';

interface Line {
  readonly line: number;
  readonly limit: number;
}

const portfolioImportEn = {
  /** The reasons why a file is not read. */
  file: {
    nothing: () =>
      'There is nothing to import: attach a file from your broker (CSV, xlsx, or the web page that some call .xls) or a screenshot of its app to the command, or paste its lines below `/portfolio import`.',
    'nothing-named': () =>
      'There is nothing to import: name a file from your broker after the command, such as `/portfolio import @file.csv` or `@file.xlsx`.',
    /** `@file.csv` was typed on a channel that reads no files by name. */
    'named-only': () =>
      'The file was not read. At the terminal type `/portfolio import @file.csv` yourself: through a pipe no file is read. In a chat attach the file to the command.',
    'several-files': () => 'One file at a time, please: send each with a `/portfolio import` of its own.',
    'too-large': () =>
      'The file is larger than 4 MB: export a shorter period and import the parts one after another.',
    'not-fetched': () => 'The file could not be fetched. Please attach it again.',
    pdf: () =>
      'Tables in a PDF cannot be imported: download the transactions from your broker as Excel (xlsx) or CSV and attach that.',
    'picture-damaged': () => 'The picture is damaged or animated: send the screenshot again as PNG or JPEG.',
    'picture-large': () =>
      'The picture is larger than 3.75 MB or 8,000 pixels on a side: send a smaller screenshot.',
    'picture-no-model': () =>
      'Pictures are read by an AI model, and none is set up here. Attach a CSV or Excel file from your broker to `/portfolio import` instead.',
    'picture-no-vision': () =>
      'The AI model that is set up here cannot read pictures. Attach a CSV or Excel file from your broker to `/portfolio import` instead.',
    'picture-unread': () =>
      'The picture could not be read, and nothing was recorded. Send a sharper screenshot with fewer rows, or attach a CSV or Excel file from your broker to `/portfolio import`.',
    'picture-other': () =>
      "I see no list of positions or trades in this picture. Send a screenshot of your broker's holdings or trade history, or attach a CSV or Excel file to `/portfolio import`.",
    'no-kinds': () =>
      'No line says what was bought or sold, so this is probably a bank statement, not a list of broker transactions. To import it anyway, add a column “kind” with buy, sell, dividend, deposit or withdrawal.',
    'not-text': () => 'I cannot read the file as text: save it as CSV (UTF-8) and send that.',
    'old-workbook': () =>
      'This is an old .xls workbook, or one that is locked by a password: open it, save it as .xlsx or CSV without a password, and send that.',
    'broken-workbook': () =>
      'The workbook cannot be opened: it is damaged, or unpacks to more than is read. Save it as CSV and send that.',
    'no-header': () =>
      'No line names the columns of transactions. One line has to name at least a date, a symbol or a kind, and a quantity or an amount, for example `date,kind,symbol,quantity,price,fee`.',
    'no-rows': () => 'There are no transactions below the column headings: export a period that has some.',
    'unclear-dates': () =>
      'It is not clear which number of the dates is the month. Write them as 2026-11-13 and import the file again.',
    'too-many-rows': (p: { readonly limit: number }) =>
      `The file has more than ${counted(p.limit, 'transaction')}: export a shorter period and import the parts one after another.`,
    'too-many-columns': (p: Line) =>
      `Line ${p.line} has more than ${counted(p.limit, 'column')}: it does not look like a list of transactions. Export it as CSV again.`,
    'long-cell': (p: Line) =>
      `Line ${p.line} has a cell of more than ${counted(p.limit, 'character')}: shorten it and import the file again.`,
    'open-quote': (p: { readonly line: number }) =>
      `A quotation mark opens on line ${p.line} and is never closed: correct the file and import it again.`,
  },
  title: (p: { readonly name: string }) =>
    `**Preview of the import into ${p.name}** · nothing is recorded yet`,
  willCreate: (p: { readonly name: string; readonly currency: string }) =>
    `You have no portfolio yet, so I make one when you say yes: **${p.name}** (${p.currency}).`,
  count: (p: { readonly count: string; readonly kinds: string }) =>
    `To be recorded: **${p.count}** (${p.kinds})`,
  period: (p: { readonly from: string; readonly to: string }) => `Period: ${p.from} – ${p.to}`,
  instruments: (p: { readonly count: string; readonly names: string; readonly others: string }) =>
    `Instruments (${p.count}): ${p.names}${p.others === '' ? '' : ` and ${counted(p.others, 'other')}`}`,
  first: (p: { readonly count: string }) => (p.count === '1' ? 'The entry:' : `The first ${p.count}:`),
  line: (p: { readonly line: number; readonly text: string }) => `- Line ${p.line}: ${p.text}`,
  duplicates: (p: { readonly count: string }) => `Already recorded and left out: ${p.count}`,
  voids: (p: { readonly count: string }) => `Cancelled in the file and left out: ${p.count}`,
  skipped: (p: { readonly count: string }) =>
    `Left out because they only repeat another line (the money of a trade or a subscription, a cash fund): ${p.count}`,
  moved: (p: { readonly names: string }) =>
    `Transfers from or to ${p.names} are recorded at the cost in the file. To take one back, undo each side.`,
  taxes: () => 'The file says nothing about taxes: the Korean transaction tax of sales is computed.',
  feesFromAmounts: (p: { readonly count: string }) =>
    `Fees taken from the amount, which is not quantity × price: ${counted(p.count, 'line')}`,
  chargesSplit: (p: { readonly count: string }) =>
    `Fee and tax stand in one column: the tax of sales is the one of that day, the rest is the fee (${counted(p.count, 'line')}).`,
  chargesAsFee: (p: { readonly count: string }) =>
    `Fee and tax stand in one column and do not fit the tax of that day: all of it is taken as the fee (${counted(p.count, 'line')}).`,
  amountDiffers: (p: { readonly reported: string; readonly computed: string; readonly difference: string }) =>
    `The amount ${p.reported} is not quantity × price and charges, ${p.computed}; the difference of ${p.difference} will be missing from the cash.`,
  cashFits: (p: { readonly end: string; readonly count: string }) =>
    `Cash matches the file (${counted(p.count, 'balance')}): ${p.end} at the end.`,
  cashStated: (p: { readonly end: string }) => `Cash agrees with what the file says: ${p.end}.`,
  cashDiffers: (p: { readonly line: number; readonly reported: string; readonly computed: string }) =>
    p.line === 0
      ? `⚠️ Cash differs: the file says ${p.reported} at the end, its lines come to ${p.computed}.`
      : `⚠️ Cash differs from line ${p.line} on: the file says ${p.reported}, its lines come to ${p.computed}. Look at that line and the one before it.`,
  cashUnproven: (p: { readonly currency: string }) =>
    `Please check your ${p.currency} cash yourself: the balances in the file do not follow from its lines.`,
  cashUnread: (p: { readonly lines: string; readonly amount: string }) =>
    `Cash will be off by ${p.amount}, because of lines that cannot be recorded: ${p.lines}`,
  cashOpening: (p: { readonly amount: string; readonly command: string }) =>
    `There was ${p.amount} before the first line: if it is not recorded yet, type \`${p.command}\`.`,
  holdingsFit: (p: { readonly count: string }) =>
    `Quantities agree with those of the file (${counted(p.count, 'instrument')}).`,
  holdingDiffers: (p: {
    readonly line: number;
    readonly name: string;
    readonly reported: string;
    readonly computed: string;
  }) =>
    `⚠️ The quantity of ${p.name} differs from line ${p.line} on: the file says ${p.reported}, its lines come to ${p.computed}.`,
  holdingOpening: (p: { readonly name: string; readonly quantity: string }) =>
    `${p.quantity} of ${p.name} were held before the first line: record them first with \`/portfolio add\`.`,
  lacksPieces: (p: { readonly names: string }) =>
    `⚠️ Without the lines that cannot be recorded, the quantity of ${p.names} will be wrong.`,
  noRates: (p: { readonly count: string; readonly currency: string }) =>
    `${p.count} of them have no exchange rate yet, so figures in ${p.currency} leave them out. I fill it in later.`,
  odd: (p: { readonly count: string }) =>
    `**Lines to check: ${p.count}** (recorded as they are unless you correct the file)`,
  errors: (p: { readonly count: string }) => `**Lines that cannot be recorded: ${p.count}**`,
  moreErrors: (p: { readonly count: string }) => `… and ${p.count} more`,
  allErrorsAttached: () => 'All of them are in the attached file.',
  allErrorsDirect: () => 'Import it in our direct chat to get the whole list as a file.',
  nothingLeft: () => 'There is nothing to record. Correct the lines and import the file again.',
  /** Everything that could be recorded is recorded already. */
  nothingElse: () =>
    'Nothing new is left to record. To have the lines above as well, correct them and import the file again.',
  nothingNew: () => 'Everything in this file is recorded already.',
  ask: (p: { readonly minutes: number }) => `Record it? (Expires in ${p.minutes} min.)`,
  askTyped: (p: { readonly command: string; readonly count: string }) =>
    `To record ${p.count === '1' ? 'it' : 'them'}, send \`${p.command}\`.`,
  recordAll: (p: { readonly count: string }) => (p.count === '1' ? 'Record it' : `Record all ${p.count}`),
  recordValid: (p: { readonly count: string }) =>
    p.count === '1' ? 'Record the valid one' : `Record the valid ones (${p.count})`,
  cancel: 'Cancel',
  errorsFile: { name: 'import-errors', line: 'line', problem: 'problem', content: 'content' },
  unknownCode: () => 'No such import: a preview lasts 30 minutes. Please import the file again.',
  cancelled: () => 'Cancelled: nothing was recorded.',
  notWhole: (p: { readonly command: string }) =>
    `Some lines of that file cannot be recorded. Type \`${p.command}\` to record the others.`,
  changed: (p: { readonly reason: string }) =>
    `Nothing was recorded, because the portfolio has changed since the preview: ${p.reason} Import the file again to see what still fits.`,
  gone: () => 'That portfolio no longer exists; nothing was recorded. Import the file into another one.',
  otherPortfolio: (p: { readonly name: string }) =>
    `Nothing was recorded, because you have a portfolio by now: **${p.name}**. Import the file again to see what fits into it.`,
  recorded: (p: { readonly count: string; readonly name: string; readonly kinds: string }) =>
    `Recorded in **${p.name}**: **${p.count}** (${p.kinds})`,
  numbers: (p: { readonly from: number; readonly to: number; readonly command: string }) =>
    p.from === p.to
      ? `Entry ${p.from}. To undo: \`${p.command}\``
      : `Entries ${p.from}–${p.to}. To undo all: \`${p.command}\``,
  undoAll: (p: { readonly count: string }) => (p.count === '1' ? 'Undo it' : `Undo all ${p.count}`),
  cancelledBefore: () =>
    'This import was cancelled, and nothing of it is recorded. Import the file again if you want it after all.',
  recordedBefore: (p: {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly command: string;
  }) =>
    p.from === p.to
      ? `This import is recorded in **${p.name}** already: entry ${p.from}. \`${p.command}\` takes it back.`
      : `This import is recorded in **${p.name}** already: entries ${p.from}–${p.to}. \`${p.command}\` takes all of them back.`,
  takenBackBefore: (p: { readonly name: string }) =>
    `This import was recorded in **${p.name}** and taken back. Import the file again if you want it after all.`,
  reconciled: () => 'Everything adds up to the balances in the file.',
  stillLacks: (p: { readonly count: string }) =>
    `${counted(p.count, 'line')} left out, so cash and quantities may be off by that.`,
  repeated: () => 'All of it was already recorded: nothing was recorded twice.',
  show: 'Portfolio',
  export: {
    directOnly: () => 'Your transactions are sent in our direct chat only: ask me there.',
    nothing: (p: { readonly name: string }) =>
      `**${p.name}** has no transactions yet. Record one with \`/portfolio add\`.`,
    done: (p: { readonly name: string; readonly count: string; readonly reversed: string }) =>
      `The transactions of **${p.name}**: ${p.count}${p.reversed === '' ? '' : ` (${p.reversed} of them taken back, marked “reversed”)`}. \`/portfolio import\` reads this file.`,
  },
};

const portfolioImportKo: typeof portfolioImportEn = {
  file: {
    nothing: () =>
      '가져올 내용이 없어요. 증권사에서 받은 파일(CSV, xlsx, 웹페이지 형식의 .xls)이나 앱 화면 캡처를 명령에 첨부하거나, `/portfolio import` 아래 줄에 내용을 붙여 넣어 주세요.',
    'nothing-named': () =>
      '가져올 내용이 없어요. `/portfolio import @file.csv`나 `@file.xlsx`처럼 증권사 파일의 이름을 명령 뒤에 적어 주세요.',
    'named-only': () =>
      '파일을 읽지 못했어요. 터미널에서는 `/portfolio import @file.csv`를 직접 입력해 주세요. 파이프로 보낸 글에서는 파일을 읽지 않아요. 채팅에서는 파일을 명령에 첨부해 주세요.',
    'several-files': () =>
      '파일은 한 번에 하나씩 가져옵니다. 파일마다 `/portfolio import`를 따로 보내 주세요.',
    'too-large': () => '파일이 4MB를 넘어요. 기간을 나누어 내려받아 차례로 가져와 주세요.',
    'not-fetched': () => '파일을 받지 못했어요. 다시 첨부해 주세요.',
    pdf: () =>
      'PDF의 표는 가져올 수 없어요. 증권사에서 거래내역을 엑셀(xlsx)이나 CSV로 내려받아 첨부해 주세요.',
    'picture-damaged': () =>
      '이미지가 손상되었거나 움직이는 이미지예요. 화면을 PNG나 JPEG로 다시 캡처해 보내 주세요.',
    'picture-large': () => '이미지가 3.75MB 또는 한 변 8,000픽셀을 넘어요. 더 작은 캡처로 보내 주세요.',
    'picture-no-model': () =>
      '캡처 이미지는 AI 모델이 읽는데, 여기에는 연결된 모델이 없어요. 증권사에서 받은 CSV나 엑셀 파일을 `/portfolio import`에 첨부해 주세요.',
    'picture-no-vision': () =>
      '여기에 연결된 AI 모델은 이미지를 읽을 수 없어요. 증권사에서 받은 CSV나 엑셀 파일을 `/portfolio import`에 첨부해 주세요.',
    'picture-unread': () =>
      '이미지를 읽지 못해 아무것도 기록하지 않았어요. 항목이 적은 선명한 화면을 다시 보내거나 CSV나 엑셀 파일을 `/portfolio import`에 첨부해 주세요.',
    'picture-other': () =>
      '이 이미지에는 보유 종목이나 거래 내역이 보이지 않아요. 증권사 앱의 잔고나 거래내역 화면을 보내거나 CSV나 엑셀 파일을 `/portfolio import`에 첨부해 주세요.',
    'no-kinds': () =>
      '어느 줄에도 매수, 매도 같은 거래 종류가 없어 증권사 거래내역이 아니라 은행 입출금 내역으로 보여요. 그래도 가져오려면 “거래구분” 열에 매수, 매도, 배당, 입금, 출금 중 하나를 적어 주세요.',
    'not-text': () => '읽을 수 있는 텍스트 파일이 아니에요. CSV(UTF-8)로 저장해서 보내 주세요.',
    'old-workbook': () =>
      '예전 형식의 .xls 파일이거나 암호가 걸린 엑셀 파일이에요. 열어서 암호 없이 .xlsx나 CSV로 저장한 뒤 보내 주세요.',
    'broken-workbook': () =>
      '엑셀 파일을 열 수 없어요. 파일이 깨졌거나 풀었을 때 너무 커요. CSV로 저장해서 보내 주세요.',
    'no-header': () =>
      '거래 내역의 열 이름이 있는 줄을 찾지 못했어요. 날짜, 종목 또는 거래구분, 수량 또는 금액의 이름이 한 줄에 있어야 해요. 예: `거래일자,거래구분,종목명,수량,단가,수수료`',
    'no-rows': () => '열 이름 아래에 거래가 없어요. 거래가 있는 기간을 내려받아 주세요.',
    'unclear-dates': () =>
      '날짜에서 어느 숫자가 월인지 분명하지 않아요. 2026-11-13처럼 적어서 다시 가져와 주세요.',
    'too-many-rows': (p) =>
      `파일의 거래가 ${p.limit.toLocaleString('ko-KR')}건을 넘어요. 기간을 나누어 내려받아 차례로 가져와 주세요.`,
    'too-many-columns': (p) =>
      `${p.line}번째 줄의 열이 ${p.limit}개를 넘어 거래 내역으로 보이지 않아요. CSV로 다시 내려받아 주세요.`,
    'long-cell': (p) =>
      `${p.line}번째 줄에 ${p.limit.toLocaleString('ko-KR')}자를 넘는 칸이 있어요. 줄여서 다시 가져와 주세요.`,
    'open-quote': (p) =>
      `${p.line}번째 줄에서 열린 따옴표가 닫히지 않았어요. 파일을 고쳐서 다시 가져와 주세요.`,
  },
  title: (p) => `**${p.name} 가져오기 미리보기** · 아직 기록하지 않았어요.`,
  willCreate: (p) => `아직 포트폴리오가 없어서 기록할 때 **${p.name}**(${p.currency})을 만들어요.`,
  count: (p) => `기록할 거래: **${p.count}건** (${p.kinds})`,
  period: (p) => `기간: ${p.from} ~ ${p.to}`,
  instruments: (p) => `${p.count}종목: ${p.names}${p.others === '' ? '' : ` 외 ${p.others}종목`}`,
  first: (p) => (p.count === '1' ? '내역:' : `처음 ${p.count}건:`),
  line: (p) => `- ${p.line}번째 줄: ${p.text}`,
  duplicates: (p) => `이미 기록되어 있어 뺀 거래: ${p.count}건`,
  voids: (p) => `파일에 취소로 표시되어 뺀 거래: ${p.count}건`,
  skipped: (p) => `다른 줄을 되풀이해 뺀 줄 (매매·청약 대금, 현금성 자산): ${p.count}개`,
  moved: (p) => `${p.names} 이체는 파일의 원가로 기록해요. 취소는 양쪽에서 따로 해 주세요.`,
  taxes: () => '파일에 세금이 없어 국내 주식 매도의 증권거래세를 계산해 넣었어요.',
  feesFromAmounts: (p) => `수량 × 단가와 금액의 차이를 수수료로 넣은 줄: ${p.count}개`,
  chargesSplit: (p) =>
    `수수료와 세금이 한 열에 있어, 매도는 그날의 증권거래세를 세금으로, 나머지를 수수료로 넣었어요 (${p.count}개 줄).`,
  chargesAsFee: (p) =>
    `수수료와 세금이 한 열에 있고 그날의 세율과 맞지 않아 모두 수수료로 넣었어요 (${p.count}개 줄).`,
  amountDiffers: (p) =>
    `금액은 ${p.reported}인데 수량 × 단가와 비용을 더하면 ${p.computed}이에요. 현금이 ${p.difference}만큼 어긋나요.`,
  cashFits: (p) => `현금이 파일의 잔액과 맞아요(${p.count}개 줄, 마지막 ${p.end}).`,
  cashStated: (p) => `현금이 파일에 적힌 금액과 맞아요: ${p.end}.`,
  cashDiffers: (p) =>
    p.line === 0
      ? `⚠️ 현금이 맞지 않아요. 파일의 마지막 잔액 ${p.reported}, 줄을 더하면 ${p.computed}`
      : `⚠️ ${p.line}번째 줄부터 현금이 맞지 않아요: 파일 ${p.reported}, 줄을 더하면 ${p.computed}. 그 줄과 앞줄을 확인해 주세요.`,
  cashUnproven: (p) => `${p.currency} 현금은 직접 확인해 주세요. 파일의 잔액이 거래와 맞지 않아요.`,
  cashUnread: (p) => `현금이 ${p.amount}만큼 어긋나요. 기록하지 못하는 줄: ${p.lines}`,
  cashOpening: (p) => `첫 줄 전에 ${p.amount}이 있었어요. 아직 기록 전이면: \`${p.command}\``,
  holdingsFit: (p) => `보유 수량이 파일의 잔고와 맞아요 (${p.count}개 종목).`,
  holdingDiffers: (p) =>
    `⚠️ ${p.line}번째 줄부터 ${p.name} 수량이 맞지 않아요: 파일 ${p.reported}, 줄을 더하면 ${p.computed}`,
  holdingOpening: (p) =>
    `첫 줄 전에 이미 ${p.name} ${p.quantity}을 보유하고 있었어요. \`/portfolio 매수\`로 먼저 기록해 주세요.`,
  lacksPieces: (p) => `⚠️ 기록할 수 없는 줄을 빼면 ${p.names}의 수량이 맞지 않게 돼요.`,
  noRates: (p) => `${p.count}건은 환율을 몰라 ${p.currency} 금액에서 빼요. 환율이 들어오면 자동으로 채워요.`,
  odd: (p) => `**확인할 줄: ${p.count}개** (고치지 않으면 그대로 기록해요)`,
  errors: (p) => `**기록할 수 없는 줄: ${p.count}개**`,
  moreErrors: (p) => `… 외 ${p.count}개`,
  allErrorsAttached: () => '전체 목록은 첨부 파일에 있어요.',
  allErrorsDirect: () => 'DM으로 가져오시면 전체 목록을 파일로 드려요.',
  nothingLeft: () => '기록할 거래가 없어요. 줄을 고쳐서 다시 가져와 주세요.',
  nothingElse: () => '새로 기록할 거래가 없어요. 위 줄도 넣으시려면 고쳐서 다시 가져와 주세요.',
  nothingNew: () => '이미 모두 기록된 파일이에요.',
  ask: (p) => `기록할까요? (${p.minutes}분 뒤 자동 취소)`,
  askTyped: (p) => `기록하려면 \`${p.command}\`라고 보내 주세요.`,
  recordAll: (p) => (p.count === '1' ? '1건 기록' : `${p.count}건 모두 기록`),
  recordValid: (p) => `올바른 ${p.count}건만 기록`,
  cancel: '취소',
  errorsFile: { name: '가져오기-오류', line: '줄', problem: '문제', content: '내용' },
  unknownCode: () => '그런 가져오기가 없어요(미리보기는 30분까지). 파일을 다시 가져와 주세요.',
  cancelled: () => '취소했어요. 아무것도 기록하지 않았어요.',
  notWhole: (p) =>
    `파일에 기록할 수 없는 줄이 있어요. 나머지만 기록하려면 \`${p.command}\`라고 입력해 주세요.`,
  changed: (p) => `기록하지 않았어요. 그사이 포트폴리오가 바뀌었어요. ${p.reason} 파일을 다시 가져와 주세요.`,
  gone: () =>
    '그 포트폴리오가 더 이상 없어 아무것도 기록하지 않았어요. 다른 포트폴리오로 다시 가져와 주세요.',
  otherPortfolio: (p) =>
    `그사이 **${p.name}** 포트폴리오가 생겨 아무것도 기록하지 않았어요. 파일을 다시 가져와 확인해 주세요.`,
  recorded: (p) => `**${p.name}**에 **${p.count}건**을 기록했어요 (${p.kinds}).`,
  numbers: (p) =>
    p.from === p.to
      ? `${p.from}번이에요. 되돌리기: \`${p.command}\``
      : `${p.from}~${p.to}번이에요. 모두 되돌리기: \`${p.command}\``,
  undoAll: (p) => (p.count === '1' ? '되돌리기' : `${p.count}건 모두 되돌리기`),
  cancelledBefore: () =>
    '이 가져오기는 취소되어 아무것도 기록되지 않았어요. 필요하면 파일을 다시 가져와 주세요.',
  recordedBefore: (p) =>
    p.from === p.to
      ? `이미 **${p.name}**에 ${p.from}번으로 기록된 가져오기예요. \`${p.command}\`로 되돌릴 수 있어요.`
      : `이미 **${p.name}**에 ${p.from}~${p.to}번으로 기록된 가져오기예요. \`${p.command}\`로 한 번에 되돌릴 수 있어요.`,
  takenBackBefore: (p) =>
    `**${p.name}**에 기록했다가 되돌린 가져오기예요. 필요하면 파일을 다시 가져와 주세요.`,
  reconciled: () => '파일의 잔고와 모두 맞아요.',
  stillLacks: (p) => `${p.count}개 줄은 빠졌어요. 그만큼 현금과 수량이 다를 수 있어요.`,
  repeated: () => '모두 이미 기록된 거래예요. 두 번 기록하지 않았어요.',
  show: '포트폴리오',
  export: {
    directOnly: () => '거래 내역은 DM으로만 보내 드려요.',
    nothing: (p) => `**${p.name}**에는 아직 거래가 없어요. \`/portfolio add\`로 기록해 보세요.`,
    done: (p) =>
      `**${p.name}**의 거래 ${p.count}건이에요${p.reversed === '' ? '' : ` (되돌린 ${p.reversed}건은 reversed로 표시)`}. 이 파일은 \`/portfolio import\`로 다시 가져올 수 있어요.`,
  },
};

export const importTexts = localized({ en: portfolioImportEn, ko: portfolioImportKo });

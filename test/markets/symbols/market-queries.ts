/** What is meant, and how people write it; `A or B` is a question that has both, `=` are codes that mean themselves. */
const TABLE = `
# American funds by ticker
= QLD SCHG VGT XBI GDX RSP BITX CONL MSTU MSTX MSTZ MSTY ULTY CONY NVDY TSLY YMAX YMAG
= YINN YANG TSLQ TSLZ TSLR TSLT NVDX NVDU NVDQ BMNU TLTW DGRO LABU LABD TECL TNA TZA FAS
= FAZ DPST NAIL WEBL CWEB FNGU BULZ BOIL KOLD UCO SCO GUSH NUGT AGQ UGL SSO SDS SH
= SPXU PSQ QID UDOW SDOW UVXY UVIX SVIX VIXY TMV TBT ETHU BITU SBIT SOLT XRPT FBTC GBTC
= ARKB ARKG ARKW ARKQ URA URNM NLR BOTZ AIQ QYLD XYLD RYLD PAVE SHLD SPYI QQQI GPIX GPIQ
= XDTE QDTE MAGS DIVO BIL SHV EDV GOVT TIP BNDX MUB GLDM PHYS PSLV UNG BNO DBC DBA
= WEAT SOYB UUP FXY MCHI ASHR CQQQ INDA DXJ VNM EWZ EWT VGK FLKR IEMG IEFA EFA VB
= VO VOOG SPYG SPYD SPHD SPMO MGK QUAL MTUM USMV NOBL DVY HDV DGRW PFF JPST COWZ MOAT
= IGV CIBR SKYY IBB ITA ICLN TAN KRE XOP XME XHB XRT XLRE XLB OIH REMX JETS UFO
= WGMI SARK ALLW DRAM SOXQ AMDL GGLL AAPU AMZU METU MSFU PLTU PTIR SMCX IONX RGTX RKLX HOOX
= OKLL SOFX CRCG MUU MULL AVGX TSMX BABX VCIT VCSH VTEB SCHX SCHY SCHF AVUV DFAC CGDV JAAA
= BOXX PDBC SGOL PPLT BND
QLD: qld, 큐엘디, 나스닥2배, 나스닥 2배, $QLD, NYSEARCA:QLD, QLD US
SCHG: schg
VGT: 뱅가드 IT ETF
XBI: 바이오 ETF
GDX: 금광 ETF
RSP: 동일가중 ETF
BITX: 비트코인2배, 비트코인 2배
CONL: 코인베이스2배, 콘엘, NASDAQ:CONL
MSTY: 엠스티
ULTY: 울티
CONY: 코니
TSLY: 테슬리
YINN: 중국3배, 중국 3배
TSLQ: 테슬라 인버스
NVDQ: 엔비디아 인버스
BMNU: 비트마인2배
DGRO: 디그로
LABU: 바이오3배, 라부
TNA: 러셀3배
FNGU: 팡3배
BULZ: 불즈
BOIL: 천연가스2배, 보일
KOLD: 천연가스 인버스
UCO: 원유2배
SCO: 원유 인버스
AGQ: 은2배
PSQ: 나스닥 인버스
UDOW: 다우3배
ETHU: 이더리움2배
SBIT: 비트코인 인버스
GBTC: 그레이스케일
URA: 우라늄 ETF
NLR: 원자력 ETF
LIT or LIT-KRW: LIT
QYLD: 큐일드
SHLD: 방산 ETF
MAGS: M7 ETF
DIVO: 디보
TIP: 물가채 ETF
UNG: 천연가스 ETF
INDA: 인도 ETF
VNM: 베트남 ETF
EWZ: 브라질 ETF
NOBL: 배당귀족 ETF
PFF: 우선주 ETF
CIBR: 사이버보안 ETF
TAN: 태양광 ETF
REMX: 희토류 ETF
UFO: 우주 ETF
ALLW: 올웨더 ETF
BSV or BSV-USD: BSV
BND: 뱅가드 미국 종합 채권 ETF
# Notes and funds of Korea
530107.KS: 530107, Q530107, A530107, 삼성 인버스 2X 코스닥150 선물 ETN
530031.KS: 삼성 레버리지 WTI원유 선물 ETN
530036.KS: Q530036, 원유 곱버스
580079.KS: KB 레버리지 은 선물 ETN
500037.KS: 신한 레버리지 금 선물 ETN
570051.KS: 한투 나스닥100 ETN
610038.KS: 메리츠 레버리지 미국채30년 ETN(H)
520100.KS: 미래에셋 레버리지 삼성전자 단일종목 ETN
760023.KS: 키움 레버리지 K방산 TOP5 ETN
700027.KS: 하나 반도체 ETN
069500.KS: 코덱스 200, 코덱스200, KODEX200, kodex 200
122630.KS: 코덱스 레버리지, 코스피 레버리지
252670.KS: 곱버스, 코스피 곱버스, 코덱스 200선물인버스2X
114800.KS: 코덱스 인버스, 코스피 인버스
102110.KS: 타이거 200, 타이거200
360750.KS: 타이거 S&P500, 타이거 미국S&P500, TIGER S&P500, 타이거S&P500, 타이거에센피
379800.KS: 코덱스 S&P500, KODEX S&P500
133690.KS: 타이거 나스닥100, 타이거 미국나스닥100, TIGER 나스닥100
379810.KS: 코덱스 나스닥100, 코덱스 미국나스닥100
458730.KS: 타미당, 타이거 미국배당다우존스, 타이거 배당다우존스
446720.KS: 솔미당, 솔 미국배당다우존스, SOL 배당다우존스
402970.KS: 에미당, 에이스 미국배당다우존스
489250.KS: 코미당, 코덱스 미국배당다우존스
148020.KS: KBSTAR 200, 케이비스타 200, 라이즈 200
152100.KS: ARIRANG 200, 아리랑 200, 플러스 200
105190.KS: KINDEX 200, 킨덱스 200, 에이스 200
367380.KS: KINDEX 미국나스닥100, 에이스 나스닥100
360200.KS: KINDEX 미국S&P500, 에이스 S&P500
229200.KS: 코덱스 코스닥150
233740.KS: 코스닥 레버리지, 코덱스 코스닥150레버리지
# Coins
WLD-USD: WLD, 월드코인, worldcoin, WLD-USD, WLDUSDT
WLD-KRW: KRW-WLD, WLD원, 월드코인 원, WLD/KRW
VIRTUAL-USD: VIRTUAL, 버추얼, 버추얼프로토콜
TRUMP35336-USD: TRUMP, 트럼프, 트럼프코인, TRUMP-USD
TRUMP-KRW: KRW-TRUMP, 오피셜트럼프 원
PENGU34466-USD: PENGU, 펭구, 펏지펭귄
BONK-USD: 봉크, BONK코인
ENA-USD: ENA, 에테나
WIF-USD: WIF, 도그위프햇
JUP29210-USD: JUP, 주피터
RENDER-USD: RENDER, 렌더, 렌더토큰
INJ-USD: INJ, 인젝티브
IMX10603-USD: IMX, 이뮤터블엑스
TIA22861-USD: TIA, 셀레스티아
JTO-USD: JTO, 지토
PENDLE-USD: PENDLE, 펜들
CRV-USD: CRV, 커브
GRT6719-USD: 더그래프
CHZ-USD: CHZ, 칠리즈
XTZ-USD: XTZ, 테조스
NEO-USD: 네오
QTUM-USD or QTUM: QTUM
IOTA-USD: IOTA, 아이오타
ICX-USD: ICX, 아이콘
BTT16086-USD: 비트토렌트
BSV-USD: 비트코인에스브이
CRO-USD: CRO, 크로노스
TFUEL-USD: TFUEL, 쎄타퓨엘
BORA-USD: 보라, BORA
MLK-USD: 밀크
MED-USD: 메디블록
CKB-USD: CKB, 너보스
GMT18069-USD: 스테픈
ZRO26997-USD: ZRO, 레이어제로
ZK24091-USD: 지케이싱크
ARKM-USD: ARKM, 아캄
BERA-USD: BERA, 베라체인
KAITO-USD: KAITO, 카이토
MNT27075-USD: MNT, 맨틀
MOODENG33093-USD: MOODENG, 무뎅
XAUT-USD: XAUT, 테더골드
XPL-USD: 플라즈마
AERO29270-USD or AERO: AERO
ZEC-USD: ZEC, 지캐시
FET-USD or FET: FET
LDO-USD: LDO, 리도
FLOKI-USD: FLOKI, 플로키
PI35697-USD: 파이코인, 파이네트워크
LUNC-USD: LUNC, 루나클래식
WLFI-KRW: WLFI, 월드리버티파이낸셜, 월드리버티
MON-KRW: MON, 모나드
LINEA-KRW: LINEA, 리네아
META-KRW: 메타디움, KRW-META
0G-KRW: 0G-KRW, 제로지
PUMP36507-USD: 펌프닷펀, 펌프펀
TAO-KRW: KRW-TAO, TAO원
FIL-KRW: FIL/KRW, 파일코인 원
BTC-USD: BTC, 비트코인, 비트, btc, 빗코
ETH-USD: ETH, 이더리움, 이더
XRP-USD: XRP, 리플, 엑스알피
SOL-USD: SOL, 솔라나, 쏠라나
DOGE-USD: DOGE, 도지
DASH: DASH
META: META, 메타
# Futures, yields, currencies, indices
NQ=F: 나스닥 선물, 나스닥선물, 나스닥100 선물, NQ=F, nasdaq futures, 나선
ES=F: S&P 선물, S&P500 선물, ES=F, s&p futures, 미국 선물, 에센피선물
YM=F: 다우 선물, 다우선물, YM=F, dow futures
RTY=F: 러셀 선물, 러셀2000 선물, RTY=F
NKD=F: 니케이 선물, 닛케이 선물, NKD=F
PL=F: 백금, 백금값, platinum, PL=F
PA=F: 팔라듐, palladium
ZC=F: 옥수수, corn, 옥수수 선물
ZC=F or CORN: CORN
ZW=F: 밀, 소맥, wheat, 밀 선물
ZS=F: 대두, 콩, soybeans
KC=F: 커피, 커피값, coffee
SB=F: 설탕, sugar
CC=F: 코코아, cocoa
CT=F: 면화, cotton
HO=F: 난방유, heating oil
RB=F: 휘발유, 가솔린, gasoline
LE=F: 생우
HE=F: 돈육
ALI=F: 알루미늄
BTC=F: 비트코인 선물
GC=F: 금, 금값, 금 시세, 국제 금 시세
^TNX: 미국 10년물 금리, 미국 10년물, 미국 국채 금리, 10년물, 미국채 10년물
2YY=F: 미국 2년물 금리, 2년물, US2Y, 2 year yield
^TYX: 30년물, 미국 30년물
USDKRW=X: 원달러환율, 원달러, 달러, 환율, 원달러 환율, 달러 환율
JPYKRW=X: 원엔환율, 원엔, 엔화, 엔화 환율, 엔원환율
EURKRW=X: 유로원환율, 유로, 유로환율, 유로원, 원유로환율
CNYKRW=X: 위안화, 위안환율
GBPKRW=X: 파운드, 파운드환율
RUBKRW=X: 루블
INRKRW=X: 루피
MYRKRW=X: 링깃
^NSEI: 니프티, 니프티50
^HSCE: H지수, 홍콩H지수
000300.SS: CSI300
^STOXX: 스톡스600
# Tokyo, Hong Kong, London
7203.T: 7203.T, 7203.t, TSE:7203, TYO:7203, 7203 JP, 도요타 도쿄, 도쿄 도요타
TM: 도요타, toyota, 토요타
6758.T: 6758.T, 소니 도쿄
SONY: 소니, sony
7974.T: 닌텐도, nintendo, 7974.T
9984.T: 소프트뱅크, softbank, 9984.T
8035.T: 도쿄일렉트론, 8035.T
6857.T: 어드반테스트
6920.T: 레이저텍
285A.T: 키옥시아, 285A.T
9983.T: 유니클로, 패스트리테일링
7011.T: 미쓰비시중공업
8058.T: 미쓰비시상사
7201.T: 닛산, nissan
3350.T: 메타플래닛
3659.T: 넥슨
9697.T: 캡콤
0700.HK: 텐센트, tencent, 0700.HK, 700.HK, 00700.HK, HKEX:700, 700 HK
9988.HK: 알리바바 홍콩, 홍콩 알리바바, 9988.HK
BABA: 알리바바, BABA
1810.HK: 샤오미, xiaomi, 1810.HK
1211.HK: 비야디, 1211.HK
1211.HK or BYD: BYD
3690.HK: 메이투안
0981.HK: SMIC, 중신궈지
9992.HK: 팝마트
0005.HK: 0005.HK, 5.HK
3750.HK: CATL, 닝더스다이
0388.HK: 홍콩거래소
HSBC: HSBC
HSBA.L: HSBA.L, LON:HSBA, HSBA LN, HSBC 런던
RR.L: 롤스로이스, RR.L, rolls royce
BA.L: BAE, BA.L, BAE시스템즈
BA: BA, 보잉
BT-A.L: BT-A.L
NG.L: NG.L
NGL: NGL
BARC.L: BARC.L, LSE:BARC
TSCO.L: 테스코, TSCO.L
TSCO: TSCO
# Nicknames
005930.KS: 10만전자, 9만전자, 십만전자, 삼숭
000660.KS: 닉스, 하닉스, 100만닉스
003490.KS: 댄공
034020.KS: 두빌
051910.KS: 엘화
294870.KS: 현산, HDC현산
161890.KS: 한콜
042660.KS: 대조양
010950.KS: S오일, 에쓰오일
298380.KQ: ABL바이오
035760.KQ: CJ이엔엠, 씨제이이엔엠
240810.KQ: 원익아이피에스
012450.KS: 한에어로
257720.KQ: 실투
454910.KS: 두로보
033780.KS: 케티앤지
CRCL: 써클, 서클
RIOT: 라이엇
BMNR: 비트마인
FIG: 피그마
RKLB: 로켓랩
ASTS: 아스츠, AST스페이스모바일
CRWV: 코어위브
OKLO: 오클로
NNE: 나노뉴클리어
APP: 앱러빈
RDDT: 레딧
DUOL: 듀오링고
SPOT: 스포티파이
O: 리얼티인컴
CVX: 쉐브론
PDD: 핀둬둬
HOOD: 로빈후드
CLSK: 클린스파크
QUBT: 퀀텀컴퓨팅
SNDK: 샌디스크
WDC: 웨스턴디지털
LRCX: 램리서치, 램리
MP: MP머티리얼즈
SBET: 샤프링크
VKTX: 바이킹
CRSP: 크리스퍼
NVDA: 엔당
# One name, two markets
EMB or 278990.KN: EMB
238490.KQ or HIMS: 힘스
USDKRW=X or USD: USD
NEO-USD or NEO: NEO
ENS-USD or ENS: ENS
COMP or COMP5692-USD: COMP
W or W-USD: W
S or S32684-USD: S
CAKE or CAKE-USD: CAKE
SUI20947-USD or SUI: SUI
ASTR-USD or 246720.KQ: 아스타
AIA or 1299.HK: AIA
IAG or IAG.L: IAG
HIVE-USD or HIVE: HIVE
BIO or BIO-KRW: BIO
`;

interface MarketQuery {
  readonly query: string;
  readonly outcome: string;
}

export const MARKET_QUERIES: readonly MarketQuery[] = TABLE.split('\n').flatMap((line) => {
  if (line.startsWith('= '))
    return line
      .slice(2)
      .split(' ')
      .map((code) => ({ query: code, outcome: code }));
  const colon = line.indexOf(': ');
  if (colon < 0 || line.startsWith('#')) return [];
  const outcome = line.slice(0, colon);
  const queries = line.slice(colon + 2).split(', ');
  return queries.filter((query) => query.trim() !== '').map((query) => ({ query, outcome }));
});

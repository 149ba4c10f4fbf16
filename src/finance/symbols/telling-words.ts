/** What a name can do without: what is left is still that company, and no other. */
const SAY_NOTHING: ReadonlySet<string> = new Set(
  (
    'technologies technology systems platforms group holdings holding international markets communications ' +
    'interactive pharmaceuticals pharmaceutical pharma therapeutics biotherapeutics biopharma sciences bioscience ' +
    'biosciences software networks network enterprises industries solutions labs laboratories brands ' +
    'financial bancorp bancshares energy resources semiconductor semiconductors electronics motors motor robotics ' +
    'health healthcare medical airlines airways hotels worldwide global wholesale stores restaurants devices data gaming ' +
    'com ads adr class subordinate voting common units ordinary shares new old sa nv ag se lp spa asa ab as'
  ).split(' '),
);

export const saysNothing = (word: string): boolean => word.length === 1 || SAY_NOTHING.has(word);

/**
 * Beginnings of names that are words, places or companies of their own: who says 레인보우 or 텐센트 need not mean
 * 레인보우로보틱스 or 텐센트뮤직.
 */
const ORDINARY_PARTS: ReadonlySet<string> = new Set(
  (
    '네이처 네트워크 디지털 레인보우 로보틱스 리미티드 메디컬 모바일 바이오 반도체 베트남 브라질 비스트 사이언스 서비스 세일즈 ' +
    '소프트 스노우 스위스 스튜디오 스트리트 스페이스 시스템 시프트 실리콘 싱가포르 아메리카 아메리칸 아시아 아일랜드 에너지 ' +
    '에이프릴 엔진 오스트레일리아 오토모티브 유나이티드 유니버설 이노베이션 이탈리아 인도네시아 인터내셔널 인터넷 인튜이티브 ' +
    '인프라 제너럴 지역난방 캐나다 캐피탈 캐피털 커뮤니케이션 코리아 코리안 코스트 크라우드 크레딧 클라우드 클래시 ' +
    '테크놀로지 텍사스 텐센트 퍼스트 파이낸셜 파이버 파라다이스 프랑스 프로덕츠 필리핀 한국금융 한국조선 한국항공 웨스턴 홀딩스 ' +
    'analog arrowhead bentley burlington carpenter charter chime cincinnati dear element encompass ensign equitable expand ' +
    'ferguson guidewire kona lattice madrigal magna mohawk oscar primo prosperity protagonist rainbow restaurant twist viper'
  ).split(' '),
);

export const isOrdinaryPart = (text: string): boolean => ORDINARY_PARTS.has(text);

/** Countries and cities that many names begin with: alone they are none of them. */
const PLACES: ReadonlySet<string> = new Set(
  (
    '홍콩 도쿄 런던 일본 중국 대만 인도 베트남 태국 호주 유럽 독일 영국 프랑스 스위스 스페인 이탈리아 네덜란드 캐나다 멕시코 ' +
    '브라질 러시아 폴란드 노르웨이 스웨덴 싱가포르 필리핀 인도네시아 말레이시아 뉴질랜드 사우디 튀르키예 차이나 ' +
    'tokyo london japan china india brazil europe germany vietnam'
  ).split(' '),
);

export const isPlace = (text: string): boolean => PLACES.has(text);

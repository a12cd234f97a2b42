//! Tables of what the sample store sells: families of products, brands, colours. All of it is invented.

/// Which plans are offered for a family of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// Large appliances: 3, 5 and 10 years.
    Household,
    /// Portable devices: 3 and 5 years, and accidents.
    Portable,
    /// Small appliances: 3 and 5 years.
    Small,
    /// Consumables: none.
    Nothing,
}

/// A family: one kind of product, of which the catalogue has several models.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    pub(super) category: &'static str,
    /// Letters of the model numbers.
    pub(super) prefix: &'static str,
    /// Product name on the price tag.
    pub(super) noun: &'static str,
    /// Features that distinguish the models.
    pub(super) features: [&'static str; 5],
    /// Lowest and highest price.
    pub(super) prices: (i64, i64),
    pub(super) offer: Offer,
}

/// Invented brands. Some are in half-width katakana, as old cash registers write them.
pub(super) const BRANDS: [&str; 8] = [
    "見本電機",
    "SAMPLON",
    "例題製作所",
    "ｻﾝﾌﾟﾘｱ",
    "レンシュウ工業",
    "MIHON",
    "サンプリア",
    "Reidai",
];

pub(super) const COLOURS: [&str; 6] = [
    "ホワイト",
    "ブラック",
    "シルバー",
    "ｼｬﾝﾊﾟﾝｺﾞｰﾙﾄﾞ",
    "ネイビー",
    "グレージュ",
];

const fn family(
    category: &'static str,
    prefix: &'static str,
    noun: &'static str,
    features: [&'static str; 5],
    prices: (i64, i64),
    offer: Offer,
) -> Family {
    Family {
        category,
        prefix,
        noun,
        features,
        prices,
        offer,
    }
}

/// The families, in the order in which their products are numbered.
#[rustfmt::skip]
pub(super) const FAMILIES: [Family; 21] = [
    family("冷蔵庫", "REF", "冷凍冷蔵庫", ["137L 2ドア", "365L 3ドア", "470L 6ドア", "５５０Ｌ フレンチドア", "600L 大容量"], (39_800, 348_000), Offer::Household),
    family("洗濯機", "WSH", "ドラム式洗濯乾燥機", ["洗濯7kg/乾燥3.5kg", "洗濯10kg/乾燥5kg", "洗濯１１ｋｇ/乾燥６ｋｇ", "洗濯12kg/乾燥6kg 自動投入", "洗濯12kg/乾燥7kg ヒートポンプ"], (118_000, 368_000), Offer::Household),
    family("洗濯機", "AWM", "全自動洗濯機", ["5.5kg", "6kg", "７ｋｇ", "8kg 簡易乾燥", "10kg インバーター"], (27_800, 118_000), Offer::Household),
    family("エアコン", "AIR", "ルームエアコン", ["6畳用", "8畳用", "１０畳用", "14畳用 200V", "20畳用 200V"], (54_800, 298_000), Offer::Household),
    family("テレビ", "TVU", "4K液晶テレビ", ["43V型", "50V型", "５５Ｖ型", "65V型", "75V型 倍速"], (49_800, 248_000), Offer::Household),
    family("テレビ", "TVO", "4K有機ELテレビ", ["48V型", "55V型", "６５Ｖ型", "65V型 高輝度", "77V型"], (139_800, 498_000), Offer::Household),
    family("調理家電", "OVN", "ｽﾁｰﾑｵｰﾌﾞﾝﾚﾝｼﾞ", ["18L", "23L", "26L", "30L 2段調理", "30L 重量センサー"], (24_800, 148_000), Offer::Small),
    family("調理家電", "RIC", "炊飯器", ["3.5合炊き マイコン", "5.5合炊き IH", "５．５合炊き 圧力IH", "5.5合炊き 土鍋釜", "1升炊き 圧力IH"], (9_800, 98_000), Offer::Small),
    family("調理家電", "KTL", "電気ケトル", ["0.8L", "1.0L", "１．０Ｌ 温度調節", "1.2L 転倒湯もれ防止", "0.8L ドリップ"], (3_480, 16_800), Offer::Small),
    family("掃除機", "VCS", "ｺｰﾄﾞﾚｽｽﾃｨｯｸ掃除機", ["軽量1.1kg", "サイクロン式", "紙パック式", "自動ゴミ収集ドック", "水拭き対応"], (19_800, 98_000), Offer::Small),
    family("掃除機", "RBT", "ロボット掃除機", ["マッピング", "水拭き両用", "薄型", "自動ゴミ収集", "段差乗り越え"], (29_800, 189_000), Offer::Small),
    family("パソコン", "NPC", "ノートパソコン", ["13.3型 8GB/256GB", "14型 16GB/512GB", "15.6型 １６ＧＢ/１ＴＢ", "16型 32GB/1TB", "14型 軽量899g"], (69_800, 298_000), Offer::Portable),
    family("パソコン", "TAB", "タブレット", ["8.7型 64GB", "10.1型 128GB", "11型 256GB", "１２．４型 256GB", "11型 ペン付属"], (19_800, 158_000), Offer::Portable),
    family("カメラ", "CAM", "ミラーレス一眼カメラ", ["ボディ", "標準ズームキット", "ダブルズームキット", "高倍率ズームキット", "フルサイズ ボディ"], (79_800, 428_000), Offer::Portable),
    family("カメラ", "LEN", "交換レンズ", ["35mm F1.8", "50mm F1.4", "16-35mm F4", "70-200mm F4", "100-400mm"], (34_800, 298_000), Offer::Portable),
    family("オーディオ", "EAR", "完全ワイヤレスイヤホン", ["標準", "ノイズキャンセリング", "ながら聴き", "スポーツ防水", "ハイレゾ対応"], (4_980, 45_800), Offer::Portable),
    family("オーディオ", "SPK", "サウンドバー", ["2.0ch", "2.1ch", "３．１ｃｈ", "5.1ch ワイヤレス", "7.1.2ch"], (14_800, 148_000), Offer::Small),
    family("美容・健康", "DRY", "ﾍｱﾄﾞﾗｲﾔｰ", ["速乾", "イオンケア", "軽量 折りたたみ", "温冷自動", "サロン仕様"], (3_980, 49_800), Offer::Small),
    family("美容・健康", "SHV", "電気シェーバー", ["3枚刃", "4枚刃", "５枚刃", "5枚刃 全自動洗浄", "回転式"], (5_980, 59_800), Offer::Small),
    family("季節家電", "HUM", "加湿空気清浄機", ["〜15畳", "〜21畳", "〜２５畳", "〜31畳 花粉対策", "〜40畳"], (16_800, 98_000), Offer::Small),
    family("消耗品", "CSM", "交換用パック・電池", ["単3形 12本", "単4形 12本", "紙パック 5枚", "フィルター １枚", "インクカートリッジ 6色"], (680, 5_980), Offer::Nothing),
];

//! Characters that Japanese names are written with in more than one form, and the form they are
//! compared in. Owns the table; what else is folded is the search text's.
//!
//! The forms are those that the list of kanji in common use (常用漢字表, 2010) and the list for
//! personal names (戸籍法施行規則, 別表第二) give beside their own, and those that stand for the same
//! character in family names: 髙, 﨑, 邉, 濵, 栁 and the like. Unicode normalization leaves all of
//! them as they are. 斉 and 斎 are two characters, which no family of that name keeps apart on paper.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Each group begins with the form that the others are compared in.
const GROUPS: &str = "\
    高髙 崎﨑嵜㟢 辺邉邊 斎齋斉齊 浜濱濵 沢澤 広廣 桜櫻 関關 国國 栄榮 恵惠 竜龍 \
    滝瀧 島嶋嶌㠀 吉𠮷 徳德 穂穗 実實 寿壽 円圓 真眞 慎愼 静靜 清淸 青靑 増增 \
    蔵藏 橋槗 鉄鐵鉃銕 芦蘆 鴎鷗 桧檜 柳栁 薮藪籔 富冨 峰峯 館舘 曽曾 頼賴 瀬瀨 \
    巌巖 厳嚴 黒黑 桑桒 条條 昇曻 弥彌 万萬 豊豐 与與 芸藝 検檢 塩鹽 船舩 鉱鑛 \
    剣劍劒釼 蛍螢 学學 気氣 亀龜 恒恆 彦彥 顕顯 県縣 尭堯 槙槇 遥遙 瑶瑤 凛凜 \
    桝枡 鯵鰺 祢禰 巣巢 寛寬 歩步 緑綠 録錄 郎郞 隣鄰 淵渕渊 涛濤 礼禮 禄祿 \
    来來 焼燒 荘莊 渋澁澀 渉涉 舗舖 収收 叙敍 将將 奨奬 乗乘 状狀 浄淨 畳疊 \
    嬢孃 譲讓 醸釀 触觸 嘱囑 尽盡 図圖 粋粹 酔醉 随隨 髄髓 枢樞 数數 声聲 摂攝 \
    専專 戦戰 浅淺 潜潛 銭錢 繊纖 禅禪 双雙 壮壯 争爭 総總 聡聰 騒騷 臓臟 即卽 \
    属屬 続續 堕墮 対對 体體 台臺 択擇 単單 担擔 胆膽 団團 断斷 弾彈 遅遲 痴癡 \
    虫蟲 昼晝 鋳鑄 庁廳 聴聽 勅敕 鎮鎭 逓遞 転轉 伝傳 灯燈 当當 党黨 盗盜 稲稻 \
    闘鬪 独獨 読讀 届屆 縄繩 弐貳 悩惱 脳腦 覇霸 拝拜 廃廢 売賣 麦麥 発發 髪髮 \
    抜拔 蛮蠻 秘祕 払拂 仏佛 併倂 並竝 変變 弁辨辯瓣 宝寶 没沒 翻飜 毎每 満滿 \
    黙默 訳譯 薬藥 余餘 誉譽 予豫 揺搖 様樣 謡謠 覧覽 両兩 猟獵 塁壘 涙淚 励勵 \
    戻戾 霊靈 齢齡 暦曆 歴歷 恋戀 炉爐 労勞 楼樓 湾灣 亜亞 悪惡 圧壓 囲圍 医醫 \
    為爲 壱壹 隠隱 営營 衛衞 駅驛 縁緣 艶艷 応應 欧歐 殴毆 奥奧 横橫 温溫 仮假 \
    価價 画畫 会會 絵繪 壊壞 懐懷 概槪 拡擴 覚覺 岳嶽 楽樂 缶罐 巻卷 陥陷 勧勸 \
    歓歡 観觀 帰歸 既旣 偽僞 戯戲 犠犧 旧舊 拠據 挙擧 虚虛 峡峽 挟挾 狭狹 \
    郷鄕鄉 暁曉 区區 駆驅 勲勳 薫薰 径徑 茎莖 渓溪 掲揭 経經 軽輕 継繼 鶏鷄 \
    撃擊 欠缺 倹儉 圏圈 献獻 険險 権權 効效 号號 済濟 剤劑 雑雜 参參 桟棧 蚕蠶 \
    惨慘 賛贊 残殘 糸絲 歯齒 児兒 辞辭 湿濕 写寫 釈釋 従從 縦縱 獣獸 粛肅 処處 \
    証證 装裝 捜搜 挿插 窓窗 涼凉 煕熙凞 秋穐龝 松枩 杯盃 柏栢 鶴靏靍 麹麴 麺麵 \
    竈竃 萌萠 撹攪 梼檮 蝋蠟 頬頰 鹸鹼 掴摑 填塡 繋繫 蒋蔣 醤醬 痩瘦 剥剝 屏屛 \
    并幷 餅餠 侠俠 躯軀 噛嚙 嘘噓 顛顚 祷禱 枦櫨 土圡𡈽 曹曺 宮宫 内內 告吿 \
    戸戶 教敎 産產 説說 税稅 悦悅 鋭銳 脱脫 閲閱 研硏 黄黃 験驗 達逹 晋晉 晃晄 \
    磯礒 籠篭";

static FORMS: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let forms = GROUPS.split_whitespace().flat_map(|group| {
        let mut characters = group.chars();
        let usual = characters.next();
        characters.filter_map(move |variant| Some((variant, usual?)))
    });
    forms.collect()
});

/// A character in the form that names are compared in.
pub(crate) fn usual_form(character: char) -> char {
    // No variant is below the kanji.
    if character < '\u{3400}' {
        return character;
    }
    FORMS.get(&character).copied().unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_in_one_group_and_no_normalization_would_change_it() {
        let all: Vec<char> = GROUPS.chars().filter(|c| !c.is_whitespace()).collect();
        for (place, character) in all.iter().enumerate() {
            assert!(!all[..place].contains(character), "{character}");
            let text = character.to_string();
            assert_eq!(crate::search_text::composed(&text), text);
        }
    }
}

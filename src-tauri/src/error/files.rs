//! The words for files that cannot be read or written, in both languages.

use warranty_core::files::{FileError, WriteError};

use super::Words;

/// Why a file cannot be read, and what to do with it.
pub fn unread(error: &FileError) -> Words {
    match error {
        FileError::Unreadable(_) => said(
            "The file cannot be opened. It may be open in another program, or you may not read it.",
            "ファイルを開けません。別のプログラムで開いているか、読み取る権限がありません。",
        ),
        FileError::TooLarge => said(
            "The file is too large: at most 256 MB are read. Please split it.",
            "ファイルが大きすぎます（256 MBまで）。分割してください。",
        ),
        FileError::NotText => said(
            "This is not a text file in this encoding. Please choose another encoding, or save it as CSV UTF-8.",
            "この文字コードのテキストではありません。文字コードを選び直すか、CSV UTF-8 で保存し直してください。",
        ),
        FileError::Utf16 => said(
            "This is Excel's \"Unicode text\" (UTF-16). Please save it as CSV UTF-8 or as .xlsx.",
            "Excelの「Unicodeテキスト」（UTF-16）です。CSV UTF-8 または .xlsx で保存し直してください。",
        ),
        FileError::Archive => said(
            "This is an archive (such as .zip) and no workbook. Please unpack it first.",
            "圧縮ファイルです。展開してから選んでください。",
        ),
        FileError::OtherWorkbook => said(
            "This workbook is of another kind (.xls, .xlsb, .ods) or has a password. Please save it as .xlsx without one.",
            "別の形式（.xls、.xlsb、.ods）か、パスワード付きのブックです。パスワードなしの .xlsx で保存し直してください。",
        ),
        FileError::BadWorkbook => said(
            "The workbook is damaged. Please open it in Excel and save it again.",
            "ブックが壊れています。Excelで開いて保存し直してください。",
        ),
        FileError::NoSuchSheet(_) => said(
            "The workbook has no sheet of this name any more. Please choose another.",
            "この名前のシートがありません。選び直してください。",
        ),
        FileError::HiddenSheet(name) => Words {
            en: format!(
                "Only the hidden sheet “{name}” holds rows. If they are meant, show that sheet in Excel and save the workbook."
            ),
            ja: format!(
                "行があるのは非表示のシート「{name}」だけです。このシートを使う場合は、Excelで再表示して保存し直してください。"
            ),
        },
        FileError::NoSuchLine { line } => Words {
            en: format!("Line {line} holds no headers. Please give another line."),
            ja: format!("{line} 行目に見出しがありません。別の行を指定してください。"),
        },
        FileError::MissingColumns(_) => said(
            "Columns that are needed have not been chosen.",
            "必要な列が選ばれていません。",
        ),
        FileError::RepeatedColumns(_) => said(
            "The same column was chosen for more than one field, or could be meant twice.",
            "同じ列が複数の項目に選ばれているか、候補が複数あります。",
        ),
        FileError::ExtraCells { line } => Words {
            en: format!(
                "Line {line} has more cells than there are columns. A comma inside a text must be in quotes; the separator may be another."
            ),
            ja: format!(
                "{line} 行目のセルが列数より多くなっています。文字の中のカンマは引用符で囲むか、区切りを選び直してください。"
            ),
        },
        FileError::BadRow { line } => Words {
            en: format!(
                "Line {line} cannot be read: a quote is not closed, or the row is too long."
            ),
            ja: format!("{line} 行目を読み取れません。引用符が閉じていないか、行が長すぎます。"),
        },
        FileError::OpenQuote { line, last } => Words {
            en: format!(
                "A quote is not closed: lines {line} to {last} were read as one row. Take stray quotes out, or quote every cell."
            ),
            ja: format!(
                "引用符が閉じていません。{line}～{last} 行目が 1 行として読み取られました。余分な引用符を取り除くか、すべてのセルを引用符で囲んでください。"
            ),
        },
        FileError::Empty => said("The file holds no rows.", "ファイルに行がありません。"),
        FileError::TooManyRows => said(
            "The file holds more than 1,000,000 rows. Please split it.",
            "1,000,000 行を超えています。分割してください。",
        ),
        FileError::Changed => said(
            "The file was changed while it was read. Please choose it again.",
            "読み取り中にファイルが変更されました。もう一度選んでください。",
        ),
    }
}

/// Why a file could not be written; nothing new stands at its place then.
pub fn unwritten(error: &WriteError) -> Words {
    match error {
        WriteError::Io(_) => said(
            "The file could not be written. The place may be full or protected, or the file open elsewhere.",
            "ファイルを書き込めません。空き容量や権限を確認し、開いている場合は閉じてください。",
        ),
        WriteError::TooManyRows => said(
            "A workbook cannot hold that many rows. Please save it as CSV.",
            "行数がExcelの上限を超えています。CSVで保存してください。",
        ),
        WriteError::TooLong => said(
            "A workbook cannot hold a text of that length. Please save it as CSV.",
            "Excelのセルに収まらない長さの文字があります。CSVで保存してください。",
        ),
        WriteError::Workbook(_) => said(
            "The workbook could not be made. Please save it as CSV.",
            "ブックを作成できませんでした。CSVで保存してください。",
        ),
    }
}

fn said(en: &str, ja: &str) -> Words {
    Words {
        en: en.to_owned(),
        ja: ja.to_owned(),
    }
}

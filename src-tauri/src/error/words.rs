//! The words for staff, in both languages. What to do next is said by the screen from `next`.

use warranty_core::Field;
use warranty_core::settings::Language;

use super::{ErrorCode, Words};
use crate::i18n::named;

/// What happened, in both languages.
pub fn of(code: ErrorCode) -> Words {
    let (en, ja) = text(code);
    Words {
        en: en.to_owned(),
        ja: ja.to_owned(),
    }
}

/// That the first of two entries of one id was registered and the changed one was not.
pub fn already_registered(fields: &[Field]) -> Words {
    let Words { en, ja } = of(ErrorCode::AlreadyRegistered);
    let named = |language, between: &str| {
        let names: Vec<String> = fields
            .iter()
            .map(|field| named(language, "field", field))
            .collect();
        names.join(between)
    };
    Words {
        en: format!("{en} Changed: {}.", named(Language::En, ", ")),
        ja: format!("{ja}変更点：{}。", named(Language::Ja, "、")),
    }
}

fn text(code: ErrorCode) -> (&'static str, &'static str) {
    use ErrorCode as C;
    match code {
        C::Input => (
            "Some fields need mending.",
            "入力内容に直すところがあります。",
        ),
        C::Questions => (
            "Please confirm before this is sent.",
            "送信する前に確認が必要です。",
        ),
        C::SecondLead => (
            "A lead for this transaction and product was entered before. Nothing was sent.",
            "この取引と商品のリードはすでに登録されています。何も送信されていません。",
        ),
        C::NoNetwork => (
            "The service cannot be reached. Nothing was sent.",
            "サービスに接続できません。何も送信されていません。",
        ),
        C::NotSecureConnection => (
            "A secure connection could not be made: the certificate is not trusted, or something stands between this computer and the service. Nothing was sent.",
            "安全な接続ができません。証明書が信頼できないか、通信の途中に別の機器があります。何も送信されていません。",
        ),
        C::NoToken => (
            "No access token is set for this profile. Nothing was sent.",
            "このプロファイルにはアクセストークンが設定されていません。何も送信されていません。",
        ),
        C::Unsendable => (
            "This could not be put into a request. Nothing was sent.",
            "この内容は送信できない形式です。何も送信されていません。",
        ),
        C::NoAnswer => (
            "The service did not answer.",
            "サービスから応答がありませんでした。",
        ),
        C::Unreadable => (
            "The answer did not come from the service, or could not be read.",
            "サービスのものではない応答、または読み取れない応答がありました。",
        ),
        C::Redirected => (
            "The answer points to another address; it was not followed. A sign-in page of the network may stand in between.",
            "別のアドレスへ転送する応答がありました（転送先には接続していません）。ネットワークのログイン画面が間に入っている可能性があります。",
        ),
        C::TokenRefused => (
            "The service refused the access token. Nothing was changed.",
            "アクセストークンが拒否されました。何も変更されていません。",
        ),
        C::TooManyRequests => (
            "The service asks to wait: too many requests. Nothing was changed.",
            "アクセスが集中しているため、待つように求められました。何も変更されていません。",
        ),
        C::Refused => (
            "The service refused this.",
            "サービスに受け付けられませんでした。",
        ),
        C::ServiceFault => (
            "The service reports a fault of its own.",
            "サービス側で障害が発生しています。",
        ),
        C::UnclearError => (
            "The service answered with an error that does not say whether this was done.",
            "サービスからエラーが返されました。処理されたかどうかは分かりません。",
        ),
        C::NetworkSetup => (
            "The network settings of this computer could not be read.",
            "このパソコンのネットワーク設定を読み取れません。",
        ),
        C::DiskFolder => (
            "The data folder cannot be used.",
            "データフォルダーを使用できません。",
        ),
        C::DiskOnNetwork => (
            "The data folder is on a network drive, where two computers could sell at once. Nothing was sent. Move it to a disk of this computer.",
            "データフォルダーがネットワークドライブにあります。2台から同時に登録されるおそれがあるため使用できません。送信はしていません。このパソコンのディスクに移してください。",
        ),
        C::DiskNotOwned => (
            "The data folder, or a file in it, belongs to another user of this computer. Nothing was sent.",
            "データフォルダーまたはその中のファイルが、このパソコンの別のユーザーのものです。送信はしていません。",
        ),
        C::DiskLink => (
            "A file in the data folder is a link to another place, or shares its contents with another file (a hard link). Nothing was sent. Put the file itself there, or a copy that is no link.",
            "データフォルダーの中のファイルが、別の場所へのリンク、または別のファイルとのハードリンクになっています。送信はしていません。ファイルそのもの、またはリンクではないコピーを置いてください。",
        ),
        C::DiskFull => (
            "The disk is full. Nothing was kept, and so nothing was sent.",
            "ディスクの空きがありません。保存できないため、送信もしていません。",
        ),
        C::DiskReadOnly => (
            "The data folder cannot be written. Nothing was kept, and so nothing was sent.",
            "データフォルダーに書き込めません。保存できないため、送信もしていません。",
        ),
        C::DatabaseDamaged => (
            "The desk's database is damaged. It has been left as it is.",
            "データベースが壊れています。ファイルはそのまま残してあります。",
        ),
        C::DatabaseNewer => (
            "The data was written by a newer version of Warranty Desk.",
            "データは新しいバージョンの Warranty Desk で作成されています。",
        ),
        C::Database => (
            "The desk's database did not do what was asked.",
            "データベースの処理に失敗しました。",
        ),
        C::Closing => ("The desk is closing.", "終了処理中です。"),
        C::NoKeychain => (
            "This computer session offers no keychain, so the access token cannot be kept safely.",
            "このパソコンではキーチェーン（資格情報の保管場所）を利用できないため、アクセストークンを安全に保管できません。",
        ),
        C::KeychainLocked => (
            "The keychain is locked. Unlock it and try again.",
            "キーチェーンがロックされています。ロックを解除してからやり直してください。",
        ),
        C::KeychainSlow => (
            "The keychain did not answer in time. It may be waiting for its password.",
            "キーチェーンから応答がありません。パスワードの入力待ちになっている可能性があります。",
        ),
        C::KeychainFailed => (
            "The keychain failed.",
            "キーチェーンでエラーが発生しました。",
        ),
        C::TokenMayBeKept => (
            "The keychain did not answer in time. The token may be kept all the same; it may be waiting for its password.",
            "キーチェーンから時間内に応答がありませんでした。トークンは保管された可能性があります。パスワードの入力待ちになっている場合があります。",
        ),
        C::KeyLost => (
            "The key that customers' data is sealed with is gone from the keychain. Nothing was kept or sent. Start with a new key before anything is entered again.",
            "お客様情報の暗号鍵がキーチェーンから失われています。何も保存も送信もされていません。新しい鍵で始めると、再び登録できます。",
        ),
        C::NotOpened => (
            "What was entered cannot be read: its encryption key is not in the keychain, or the address or store of the profile was changed since. It is kept and nothing was sent. If that cannot be put back, give it up and enter it anew.",
            "登録した内容を読み取れません。暗号鍵がキーチェーンにないか、登録後にプロファイルの接続先または店舗が変更されています。内容は保管されていて、何も送信されていません。元に戻せない場合は、取りやめて登録し直してください。",
        ),
        C::File => ("The file cannot be used.", "ファイルを使用できません。"),
        C::FileGone => (
            "Another file was chosen since. Please choose this one again.",
            "別のファイルが選ばれています。もう一度選び直してください。",
        ),
        C::FileNotWritten => (
            "The file could not be written.",
            "ファイルを書き込めませんでした。",
        ),
        C::NotConfirmed => (
            "The connection to this server was not confirmed. Nothing was sent there and nothing was changed.",
            "このサーバーへの接続は確認されませんでした。何も送信されず、何も変更されていません。",
        ),
        C::InUse => (
            "Another Warranty Desk or wdesk is using this data.",
            "別の Warranty Desk または wdesk が使用中です。",
        ),
        C::NoProfile => (
            "No profile is set up yet.",
            "プロファイルがまだ設定されていません。",
        ),
        C::UnknownProfile => (
            "That profile is not there any more.",
            "そのプロファイルはありません。",
        ),
        C::ProfileNameTaken => (
            "A profile of that name exists already.",
            "同じ名前のプロファイルがすでにあります。",
        ),
        C::ProfileHasOpenContracts => (
            "Contracts or leads of this profile are not finished yet; see the outbox and the leads.",
            "このプロファイルには処理の終わっていない契約またはリードがあります。送信箱とリードを確認してください。",
        ),
        C::ProfileMoved => (
            "The profile was removed or its address was changed in the meantime. Nothing was kept or sent.",
            "その間にプロファイルが削除されたか、接続先が変更されました。何も保存も送信もされていません。",
        ),
        C::RescueNotSeen => (
            "The file of this desk was replaced by an older copy, and its report has not been read yet. Sales of this file may have been sold already. Read the report first; nothing was entered or sent.",
            "データファイルが以前のバックアップに置き換えられましたが、報告がまだ確認されていません。このファイルの販売はすでに契約されている可能性があります。先に報告を確認してください。何も登録・送信していません。",
        ),
        C::PracticeNotRunning => (
            "The practice service could not be started.",
            "練習用サービスを開始できませんでした。",
        ),
        C::ChangedMeanwhile => (
            "Someone changed this plan in the meantime. Nothing was overwritten.",
            "その間にほかの人がこのプランを変更しました。上書きはしていません。",
        ),
        C::NotProven => (
            "The change was sent, but reading the plan again did not prove it.",
            "変更は送信しましたが、読み直して反映を確かめることができませんでした。",
        ),
        C::AlreadyRegistered => (
            "This entry was registered before with other data and stays as it is. What was changed was not registered.",
            "この登録は以前の内容のまま登録済みです。変更後の内容は登録されていません。",
        ),
        C::KeptUnread => (
            "The contract was registered and is sent, but it could not be read back from the desk's file. Do not enter it again.",
            "契約は登録され、送信されます。ただしデータファイルから読み直せませんでした。もう一度登録しないでください。",
        ),
        C::NotKnown => ("This is not known here.", "この端末には記録がありません。"),
        C::NotLawful => (
            "That is not possible any more; the case has moved on.",
            "状態が変わったため、その操作はできません。",
        ),
        C::ContractDoesNotMatch => (
            "That contract is not the one that was sent.",
            "その契約は送信した内容と一致しません。",
        ),
        C::NoPage => (
            "This plan has no page that may be opened.",
            "このプランには開けるページがありません。",
        ),
        C::NoBrowser => (
            "The page could not be opened in the browser.",
            "ブラウザーでページを開けませんでした。",
        ),
        C::NotPrinted => ("The sheet could not be printed.", "印刷できませんでした。"),
        C::NotWritten => (
            "The file could not be written at that place.",
            "その場所にファイルを書き込めませんでした。",
        ),
    }
}

//! The sheet a customer takes home, printed by the real window into a file and looked at: nothing is
//! cut off, in either language, on either paper, and what is pending never looks like a contract.

use crate::harness::{
    Desk, Language, Pdf, Sale, Service, Setup, Stroke, journey, journey_in, until,
};

/// Nearest that ink may come to an edge, in millimetres: printers cannot reach further out.
const EDGE_MM: f64 = 3.0;

#[tokio::test(flavor = "multi_thread")]
async fn a_registered_contract_in_japanese_on_both_papers() {
    journey_in(Language::Japanese, registered).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registered_contract_in_english_on_both_papers() {
    journey(Setup::default(), registered).await;
}

async fn registered(desk: &mut Desk) {
    let sale = Sale::of_a_refrigerator();
    let title = match desk.language() {
        Language::Japanese => "ご契約内容",
        Language::English => "Your extended warranty",
    };
    desk.practise().await;
    desk.register(&sale).await;
    desk.receipt_is(&["confirmed"]).await;
    let contract_id = desk.text("receipt-contract-id").await;
    let code = desk.text("receipt-inquiry-code").await;
    desk.look_up(&contract_id).await;
    desk.press("contract-paper").await;
    for paper in ["a4", "roll"] {
        let pdf = printed(desk, paper).await;
        for part in [
            title,
            &code,
            &contract_id,
            sale.transaction_id,
            "SANDBOX",
            // Digits beside Latin letters cannot be read back.
            match desk.language() {
                Language::Japanese => "189,800 円",
                Language::English => "JPY",
            },
        ] {
            assert!(pdf.says(part), "{paper}: no {part} in\n{}", pdf.text());
        }
        // The e-mail is the service's business and not the paper's.
        assert!(!pdf.says(sale.email), "{}", pdf.text());
        pdf.picture(&format!("paper-{}-{paper}", desk.language().short()));
    }
    desk.picture(&format!("paper-preview-{}", desk.language().short()))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_slip_of_a_lead_is_read_by_a_scanner_as_its_token() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        let sale = Sale::of_a_refrigerator();
        desk.practise().await;
        desk.scan_and_see_plans(sale.product).await;
        desk.write("transaction-id", sale.transaction_id).await;
        desk.keys(&[Stroke::Alt('l')]).await;
        let token = desk.text("lead-token").await;
        desk.press("lead-paper").await;
        for paper in ["a4", "roll"] {
            let pdf = printed(desk, paper).await;
            for part in ["後日加入のご案内", &token, sale.transaction_id, "SANDBOX"] {
                assert!(pdf.says(part), "{paper}: no {part} in\n{}", pdf.text());
            }
            assert_eq!(pdf.scanned(), token, "{paper}");
            pdf.picture(&format!("lead-{paper}"));
        }
        desk.picture("lead-preview").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_printed_as_pending_and_not_as_a_contract() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        let sale = Sale::of_a_refrigerator();
        let mut service = Service::start().await;
        desk.connect(&service).await;
        desk.fill_in(&sale).await;
        service.go_down().await;
        desk.press("register-submit").await;
        desk.receipt_is(&["queued"]).await;
        desk.press("receipt-paper").await;
        for (language, mark, contract) in [
            ("ja", "登録手続き中", "ご契約内容"),
            ("en", "Registration pending", "Your extended warranty"),
        ] {
            desk.press(&format!("paper-{language}")).await;
            desk.see_where(&format!(".scaled .paper[lang={language}]"))
                .await;
            for paper in ["a4", "roll"] {
                let pdf = printed(desk, paper).await;
                for part in [mark, sale.transaction_id] {
                    assert!(pdf.says(part), "no {part} in\n{}", pdf.text());
                }
                for never in [contract, "SANDBOX"] {
                    assert!(!pdf.says(never), "{never} in\n{}", pdf.text());
                }
            }
        }
        // Looked at still, it becomes the sheet of the contract once that is confirmed.
        service.come_back().await;
        desk.see_where(".scaled .paper.registered").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_and_hostile_name_is_printed_whole_and_does_nothing() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let sale = Sale {
            customer: "<b>見本</b> \u{202e}太郎 Wolfeschlegelsteinhausenbergerdorffwelchevoraltern\
                       waren gewissenhaft schafers wessen schafe waren wohl gepflege und sorgfalt X",
            ..Sale::of_a_refrigerator()
        };
        desk.practise().await;
        desk.register(&sale).await;
        desk.receipt_is(&["confirmed"]).await;
        desk.picture("en-receipt-with-keys").await;
        desk.keys(&[Stroke::ControlChar('p')]).await;
        for paper in ["a4", "roll"] {
            let pdf = printed(desk, paper).await;
            for part in ["<b>見本</b> \\u{", "sorgfalt X"] {
                assert!(pdf.says(part), "no {part} in\n{}", pdf.text());
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_that_the_printer_refuses_is_not_called_printed() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        desk.register(&Sale::of_a_refrigerator()).await;
        desk.receipt_is(&["confirmed"]).await;
        desk.press("receipt-paper").await;
        desk.see_where(".scaled .paper").await;
        let printed = || {
            let file = rusqlite::Connection::open(desk.data_dir().join("desk.db")).unwrap();
            let lines = "SELECT COUNT(*) FROM journal WHERE action = 'paper.printed'";
            file.query_row(lines, [], |row| row.get::<_, u32>(0))
                .unwrap()
        };
        // The folder that the dialog suggests is not there.
        let folder = desk.saves_into().join("printed");
        desk.prints_into_a_file().await;
        desk.page_says(desk.language().word("failure.notPrinted"))
            .await;
        assert_eq!(printed(), 0);

        std::fs::create_dir(&folder).unwrap();
        desk.prints_into_a_file().await;
        until("the journal says so", async || printed() == 1).await;
        let file = folder.join("output.pdf");
        assert!(file.exists(), "it says so once it is done");
    })
    .await;
}

/// Chooses a paper and prints the sheet: one page of the right size with nothing at its edges.
pub async fn printed(desk: &Desk, paper: &str) -> Pdf {
    desk.press(&format!("paper-{paper}")).await;
    desk.see_where(&format!(".scaled .paper.{paper}")).await;
    std::fs::create_dir_all(desk.saves_into().join("printed")).expect("a folder can be made");
    desk.prints_into_a_file().await;
    let pdf = desk.printed().await;
    let (pages, width, height) = pdf.pages();
    match paper {
        "a4" => assert_eq!((pages, width, height), (1, 210, 297)),
        _ => {
            assert_eq!((pages, width), (1, 80));
            assert!(height > 100 && height < 400, "{height} mm");
        }
    }
    let margins = pdf.margins();
    assert!(
        margins.iter().all(|margin| *margin >= EDGE_MM),
        "ink at {margins:?} mm from the edges of {}",
        pdf.path().display()
    );
    pdf
}

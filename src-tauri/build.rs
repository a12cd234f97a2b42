//! Build step of the window: declares its permissions to Tauri.

fn main() {
    println!("cargo:rerun-if-changed=ui/dist");
    let attributes =
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*");
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo:warning={error:#}");
        std::process::exit(1);
    }
}

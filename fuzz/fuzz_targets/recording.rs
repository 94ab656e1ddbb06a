//! Any bytes are a recording or an error of one line. What a fuzzer changes has another hash, so its own bytes also come as
//! the body of a file whose header is right.
#![no_main]

use evenstep_scenes::{Recording, StateHash};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let mut file = b"evenstep".to_vec();
    file.extend(1_u16.to_le_bytes());
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(StateHash::new().bytes(body).finish().to_le_bytes());
    file.extend(body);
    for bytes in [body, &file] {
        match Recording::read(bytes, "fuzz") {
            Ok(recording) => {
                let mut again = Vec::new();
                recording.write(&mut again).expect("memory can be written");
                assert!(Recording::read(&again, "fuzz").is_ok());
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
});

// WebAssembly as text: a letter for each byte, plain ones for the bytes that come most often. Compressed, as it travels, that is
// a quarter less than base64.

/** Decodes a text. `letters` has the letter of each byte. */
export function decode(text: string, letters: string): Uint8Array<ArrayBuffer> {
  const bytes = new Map(Array.from(letters, (letter, byte) => [letter, byte]));
  return Uint8Array.from(text, (letter) => bytes.get(letter)!);
}

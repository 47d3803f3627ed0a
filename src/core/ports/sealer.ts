/** Seals texts with a passphrase, by the platform's cryptography: the core itself touches none. */
export interface Sealer {
  /** The text as a file that says in its first line that it is sealed. Throws `STORE_UNAVAILABLE` where the platform has no cryptography. */
  seal(text: string, passphrase: string): Promise<string>;
  /** The text of a sealed file; nothing where the passphrase is another one or a byte of the file was changed. Throws `STORE_UNAVAILABLE`. */
  open(file: string, passphrase: string): Promise<string | undefined>;
}

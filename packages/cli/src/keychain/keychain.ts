/** Where the operating system keeps secrets: macOS Keychain, Windows Credential Manager, Secret Service on Linux. */
export interface Keychain {
  get(account: string): Promise<string | null>;
  set(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

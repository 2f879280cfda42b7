/** The secret store of the operating system: macOS Keychain, Windows Credential Manager, Secret Service on Linux. */
export interface Keychain {
  get(account: string): Promise<string | null>;
  set(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

const SERVICE = 'hubline';
/** A keychain may ask the user to unlock it. A script has no user who could, and must not wait forever. */
const PATIENCE_MS = 10_000;

/** The keychain of this system. Its library is loaded here, and only by commands that need a saved key. */
export async function systemKeychain(): Promise<Keychain> {
  const { default: keyring } = await import('@napi-rs/keyring');
  // Without a choice it would fall back to the kernel's keyring, which forgets everything at a restart.
  const options = process.platform === 'linux' ? { linux: { store: 'secret-service' as const } } : undefined;
  const entry = (account: string) => new keyring.AsyncEntry(SERVICE, account, options);
  const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
  return {
    get: (account) => entry(account).getPassword(patience()),
    set: (account, secret) => entry(account).setPassword(secret, patience()),
    remove: async (account) => {
      await entry(account).deletePassword(patience());
    },
  };
}
